export default {
  output: "standalone",
  // Node 20 has no SQLite of its own. The mailer's store then needs this package, whose files Next.js does not find by itself.
  outputFileTracingIncludes: {
    "/api/queue": [
      "./node_modules/@photostructure/sqlite/package.json",
      "./node_modules/@photostructure/sqlite/dist/*.mjs",
      "./node_modules/@photostructure/sqlite/prebuilds/linux-x64/*",
      "./node_modules/node-gyp-build/*",
    ],
  },
};
