// Tests what a change concerns, without browsers: the folders that are named, else those of `src/`, `test/` and `docs/guides`
// with changes that are not committed, else those of the latest commit.
//   npm run test:quick
//   npm run test:quick -- check service
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** What is tested elsewhere, too. */
const ELSEWHERE = { api: ["contract"], service: ["contract"] };

/** Slow tests that only concern changes there. */
const ONLY_THERE = ["cli/apart"];

const named = process.argv.slice(2);
const changed = named.length > 0 ? [] : changedFiles();
const concerned = new Set(named.length > 0 ? named : foldersOf(changed));
for (const folder of concerned) for (const other of ELSEWHERE[folder] ?? []) concerned.add(other);

const paths = [...concerned].map((name) => `test/${name}`).filter((file) => existsSync(path.join(root, file)));
if (paths.length === 0) {
  console.error(`Nothing in test/ concerns ${[...concerned].join(", ") || "the change"}. All tests: npm test`);
  process.exit(named.length > 0 ? 1 : 0);
}
const leftOut = ONLY_THERE.filter(
  (folder) => ![...named, ...changed].some((each) => `${each}/`.includes(`${folder}/`)),
);
console.log(`Testing ${paths.join(", ")} without ${["browsers", ...leftOut].join(" and ")}.`);
const exclude = ["**/*.browser.test.ts", ...leftOut.map((folder) => `test/${folder}/**`)];
const filters = ["test/architecture.test.ts", ...paths.map((file) => (file.endsWith(".ts") ? file : `${file}/`))];
const options = exclude.map((pattern) => `--exclude=${pattern}`);
const run = spawnSync("npx", ["--no-install", "vitest", "run", ...options, ...filters], {
  cwd: root,
  stdio: "inherit",
  shell: process.platform === "win32",
});
process.exitCode = run.status ?? 1;

/** Of the repository's root. */
function changedFiles() {
  const uncommitted = git("status", "--porcelain=v1", "-z", "--untracked-files=all")
    .split("\0")
    .map((entry) => entry.slice(3));
  const files = uncommitted.filter((file) => /^(?:src|test|docs\/guides)\//.test(file));
  return files.length > 0 ? files : git("diff", "--name-only", "-z", "HEAD~1", "HEAD").split("\0");
}

/** The folders of `test/` that files concern; a source that lies beside the folders of `src/` has a test of its own. */
function foldersOf(files) {
  return files.flatMap((file) => {
    const [, place, name, isFolder] = /^(src|test|docs)\/([^/]+)(\/)?/.exec(file) ?? [];
    if (name === undefined) return [];
    return isFolder !== undefined || place === "test" ? [name] : [name.replace(/\.ts$/, ".test.ts")];
  });
}

function git(...args) {
  const { status, stdout, stderr } = spawnSync("git", args, { cwd: root, encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}
