// Runs the tests for a change, without browsers: for the named folders, otherwise for the folders of `src/`, `test/` and
// `docs/guides` with uncommitted changes, otherwise for those of the latest commit.
//   npm run test:quick
//   npm run test:quick -- check service
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Folders with additional tests in other folders. */
const ALSO_TESTED_IN = { api: ["contract"], service: ["contract"] };

/** Folders with slow tests that run only if files in these folders change. */
const ONLY_IF_CHANGED = ["cli/keyless"];

const named = process.argv.slice(2);
const changed = named.length > 0 ? [] : changedFiles();
const affected = new Set(named.length > 0 ? named : foldersOf(changed));
for (const folder of affected) for (const other of ALSO_TESTED_IN[folder] ?? []) affected.add(other);

const paths = [...affected].map((name) => `test/${name}`).filter((file) => existsSync(path.join(root, file)));
if (paths.length === 0) {
  console.error(`There are no tests for ${[...affected].join(", ") || "the change"}. To run all tests: npm test`);
  process.exit(named.length > 0 ? 1 : 0);
}
const skipped = ONLY_IF_CHANGED.filter(
  (folder) => ![...named, ...changed].some((each) => `${each}/`.includes(`${folder}/`)),
);
console.log(`Testing ${paths.join(", ")} without ${["browsers", ...skipped].join(" and ")}.`);
const exclude = ["**/*.browser.test.ts", ...skipped.map((folder) => `test/${folder}/**`)];
const filters = ["test/architecture.test.ts", ...paths.map((file) => (file.endsWith(".ts") ? file : `${file}/`))];
const options = exclude.map((pattern) => `--exclude=${pattern}`);
const run = spawnSync("npx", ["--no-install", "vitest", "run", ...options, ...filters], {
  cwd: root,
  stdio: "inherit",
  shell: process.platform === "win32",
});
process.exitCode = run.status ?? 1;

/** The changed files, relative to the repository's root. */
function changedFiles() {
  const uncommitted = git("status", "--porcelain=v1", "-z", "--untracked-files=all")
    .split("\0")
    .map((entry) => entry.slice(3));
  const files = uncommitted.filter((file) => /^(?:src|test|docs\/guides)\//.test(file));
  return files.length > 0 ? files : git("diff", "--name-only", "-z", "HEAD~1", "HEAD").split("\0");
}

/** The folders of `test/` for these files. A source file directly in `src/` has its own test file. */
function foldersOf(files) {
  return files.flatMap((file) => {
    const [, top, name, isFolder] = /^(src|test|docs)\/([^/]+)(\/)?/.exec(file) ?? [];
    if (name === undefined) return [];
    return isFolder !== undefined || top === "test" ? [name] : [name.replace(/\.ts$/, ".test.ts")];
  });
}

function git(...args) {
  const { status, stdout, stderr } = spawnSync("git", args, { cwd: root, encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}
