// Everything about the sources that can be told without running them. All steps run, so that one report names every fault.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** @type {[name: string, command: string[]][]} */
const steps = [
  ["format", ["oxfmt", "--check"]],
  ["lint", ["oxlint", "--deny-warnings"]],
  ["types", ["tsc", "--noEmit"]],
  ["types of the page", ["tsc", "--noEmit", "-p", "src/preview/app"]],
  ["import table", ["vitest", "run", "test/architecture.test.ts"]],
  ["unused code", ["knip"]],
  ["example registry", ["node", "dist/cli/main.js", "types", "--check"]],
  ["package", ["publint", "--strict"]],
  // CommonJS applications require the ESM files, which Node 20.19 and later can; there is no second build to resolve to.
  ["package types", ["attw", "--pack", ".", "--profile", "node16", "--ignore-rules", "cjs-resolves-to-esm"]],
];

const failed = [];
for (const [name, command] of steps) {
  console.log(`\n• ${name}`);
  const { status } = spawnSync("npx", ["--no-install", ...command], {
    cwd: root,
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  if (status !== 0) failed.push(name);
}
console.log(failed.length === 0 ? `\n${steps.length} checks passed.` : `\nFailed: ${failed.join(", ")}.`);
process.exitCode = failed.length === 0 ? 0 : 1;
