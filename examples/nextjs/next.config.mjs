export default {
  output: "standalone",
  // Node 20 has no built-in SQLite, so the mailer's store needs this package. Next.js does not find its files by itself.
  outputFileTracingIncludes: {
    "/api/queue": [
      "./node_modules/@photostructure/sqlite/package.json",
      "./node_modules/@photostructure/sqlite/dist/*.mjs",
      "./node_modules/@photostructure/sqlite/prebuilds/linux-x64/*",
      "./node_modules/node-gyp-build/*",
    ],
  },
};
