import { existsSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const dist = fileURLToPath(new URL("./dist/", import.meta.url));

/** Linux's file system in memory. */
const inMemory = "/dev/shm";

/** Test databases flush all the time, which is free in memory. A container may have too little space there. */
function temporaryFolder(): string {
  if (!existsSync(inMemory)) return tmpdir();
  const { bavail, bsize } = statfsSync(inMemory);
  return bavail * bsize > 1e9 ? inMemory : tmpdir();
}

/** Most code in tests runs too rarely for compiling it to pay off, as in commands (`src/cli/tune-v8.ts`). */
const execArgv = process.versions.v8.startsWith("11.") ? ["--interrupt-budget=600000"] : [];

export default defineConfig(({ mode }) => ({
  // Tests import sources for their types, and run the built files that are published.
  resolve: { alias: [{ find: /^(?:\.\.\/)+src\/(.*)$/, replacement: `${dist}$1` }] },
  test: {
    include: ["test/**/*.test.ts", "test/**/*.test.tsx"],
    globalSetup: ["test/preview/chromium.ts", "test/postgres/shared.ts"],
    // The environment of the run must not matter: with CI set, commands assume no environment.
    env: { CI: "", TMPDIR: temporaryFolder() },
    reporters: ["default", "./test/slowest-files.ts"],
    pool: "forks",
    execArgv,
    // A process for each file would load React, mjml and Chromium some 400 times, so a file must clean up after itself.
    isolate: false,
    // Most tests wait for processes: one worker, the default on two cores, would leave more than half of their time unused.
    maxWorkers: 3,
    // Only ends what would hang: nobody knows how long something takes on a busy machine.
    testTimeout: mode === "long" ? 3_600_000 : 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: mode === "long" ? 3_600_000 : 60_000 } },
    server: { deps: { external: [/\/dist\//] } },
  },
}));
