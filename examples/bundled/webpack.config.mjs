// webpack does not read TypeScript: compile first (`tsc`), or add a loader.
export default {
  mode: "production",
  target: "node",
  entry: "./dist/handler.js",
  output: { path: `${import.meta.dirname}/out/webpack`, filename: "index.cjs", library: { type: "commonjs2" } },
};
