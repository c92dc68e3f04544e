import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const dist = fileURLToPath(new URL("./dist/", import.meta.url));

export default defineConfig({
  // Tests name the sources that they are about and run what is published: the built files. The page's modules are in none.
  resolve: { alias: [{ find: /^(?:\.\.\/)+src\/(?!preview\/app\/)(.*)$/, replacement: `${dist}$1` }] },
  test: {
    include: ["test/**/*.test.ts", "test/**/*.test.tsx"],
    globalSetup: ["test/preview/chromium.ts"],
    pool: "forks",
    // Most of them wait for processes: with one worker, as vitest takes on two cores, a core has nothing to do.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    server: { deps: { external: [/\/dist\//] } },
  },
});
