// All static checks of the sources. Every step runs, so that one report lists all failures. Packs the package unless --tarball
// names one.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const root = fileURLToPath(new URL("..", import.meta.url));

const { tarball: packed } = parseArgs({ options: { tarball: { type: "string" } } }).values;
const folder = mkdtempSync(path.join(tmpdir(), "lettershop-check-"));
const shell = process.platform === "win32";
const tarball = () =>
  packed ?? path.join(folder, readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? "no-package.tgz");

/** @type {[name: string, command: (string | (() => string))[]][]} */
const steps = [
  ["format", ["oxfmt", "--check"]],
  ["lint", ["oxlint", "--deny-warnings"]],
  ["types", ["tsc", "--noEmit"]],
  ["types of the page", ["tsc", "--noEmit", "-p", "preview"]],
  ["import table", ["vitest", "run", "test/architecture.test.ts"]],
  ["unused code", ["knip"]],
  ["example registry", ["node", "dist/cli/main.js", "types", "--check"]],
  ...(packed === undefined ? [["packing", ["npm", "pack", "--silent", "--pack-destination", folder]]] : []),
  ["package", ["publint", "run", tarball, "--strict"]],
  // Exports that only tools load have no CommonJS build; Node 20.19 and later can require the ES modules.
  ["package types", ["attw", tarball, "--ignore-rules", "cjs-resolves-to-esm"]],
];

const failed = [];
for (const [name, parts] of steps) {
  console.log(`\n• ${name}`);
  const command = parts.map((part) => (typeof part === "string" ? part : part()));
  const { status } = spawnSync("npx", ["--no-install", ...command], { cwd: root, stdio: "inherit", shell });
  if (status !== 0) failed.push(name);
}
rmSync(folder, { recursive: true, force: true });
console.log(failed.length === 0 ? `\n${steps.length} checks passed.` : `\nFailed: ${failed.join(", ")}.`);
process.exitCode = failed.length === 0 ? 0 : 1;
