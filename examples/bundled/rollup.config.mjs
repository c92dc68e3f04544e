import { nodeResolve } from "@rollup/plugin-node-resolve";
import terser from "@rollup/plugin-terser";

// Rollup does not read TypeScript: compile first (`tsc`), or add a plugin.
export default {
  input: "dist/handler.js",
  output: { dir: "out/rollup", entryFileNames: "index.mjs", chunkFileNames: "[name]-[hash].mjs" },
  external: /^node:/,
  plugins: [nodeResolve(), terser()],
};
