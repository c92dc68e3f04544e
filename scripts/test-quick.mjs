// Tests what a change concerns, without browsers: the folders of `src/` that are named, else those with changes that are not
// committed, else those of the latest commit.
//   npm run test:quick
//   npm run test:quick -- check service
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** What is tested elsewhere, too. */
const ELSEWHERE = { api: ["contract"], service: ["contract"] };

const named = process.argv.slice(2);
const concerned = new Set(named.length > 0 ? named : foldersOf(changedFiles()));
for (const folder of concerned) for (const other of ELSEWHERE[folder] ?? []) concerned.add(other);

const paths = [...concerned].map((name) => `test/${name}`).filter((file) => existsSync(path.join(root, file)));
if (paths.length === 0) {
  console.error(`Nothing in test/ concerns ${[...concerned].join(", ") || "the change"}. All tests: npm test`);
  process.exit(named.length > 0 ? 1 : 0);
}
console.log(`Testing ${paths.join(", ")} without browsers.`);
const filters = paths.map((file) => (file.endsWith(".ts") ? file : `${file}/`));
const run = spawnSync(
  "npx",
  ["--no-install", "vitest", "run", "--exclude", "**/*.browser.test.ts", "test/architecture.test.ts", ...filters],
  { cwd: root, stdio: "inherit", shell: process.platform === "win32" },
);
process.exitCode = run.status ?? 1;

/** Of the repository's root. */
function changedFiles() {
  const uncommitted = git("status", "--porcelain=v1", "-z", "--untracked-files=all")
    .split("\0")
    .map((entry) => entry.slice(3));
  const files = uncommitted.filter((file) => /^(?:src|test)\//.test(file));
  return files.length > 0 ? files : git("diff", "--name-only", "-z", "HEAD~1", "HEAD").split("\0");
}

/** The folders of `src/` and `test/` that files are in; one that lies beside them is its own test. */
function foldersOf(files) {
  return files.flatMap((file) => {
    const [, place, name, isFolder] = /^(src|test)\/([^/]+)(\/)?/.exec(file) ?? [];
    if (name === undefined) return [];
    return isFolder !== undefined || place === "test" ? [name] : [name.replace(/\.ts$/, ".test.ts")];
  });
}

function git(...args) {
  const { status, stdout, stderr } = spawnSync("git", args, { cwd: root, encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}
