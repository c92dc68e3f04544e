import { existsSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const dist = fileURLToPath(new URL("./dist/", import.meta.url));

/** Where Linux keeps files in memory. */
const inMemory = "/dev/shm";

/** Databases of tests flush all the time, which costs nothing in memory. A container may have too little room there. */
function temporaryFolder(): string {
  if (!existsSync(inMemory)) return tmpdir();
  const { bavail, bsize } = statfsSync(inMemory);
  return bavail * bsize > 1e9 ? inMemory : tmpdir();
}

/** Most of what a test runs is run too seldom to pay for being compiled: as commands have it (`src/cli/tune-v8.ts`). */
const execArgv = process.versions.v8.startsWith("11.") ? ["--interrupt-budget=600000"] : [];

export default defineConfig(({ mode }) => ({
  // Tests name the sources that they are about and run what is published: the built files. The page's modules are in none.
  resolve: { alias: [{ find: /^(?:\.\.\/)+src\/(?!preview\/app\/)(.*)$/, replacement: `${dist}$1` }] },
  test: {
    include: ["test/**/*.test.ts", "test/**/*.test.tsx"],
    globalSetup: ["test/preview/chromium.ts"],
    // What surrounds the run decides nothing: under CI the command assumes no environment.
    env: { CI: "", TMPDIR: temporaryFolder() },
    reporters: ["default", "./test/slowest-files.ts"],
    pool: "forks",
    execArgv,
    // A process for each file would load React, mjml and Chromium some 400 times. A file leaves nothing behind for the next.
    isolate: false,
    // Most of them wait for processes: with one worker, as vitest takes on two cores, a core has nothing to do.
    maxWorkers: 2,
    // Only to end what would hang: how long something takes on a machine that is busy is nobody's to know.
    testTimeout: mode === "long" ? 3_600_000 : 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: mode === "long" ? 3_600_000 : 60_000 } },
    server: { deps: { external: [/\/dist\//] } },
  },
}));
