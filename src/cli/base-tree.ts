import { existsSync, rmSync } from "node:fs";
import { mkdir, mkdtemp, realpath, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { UsageError } from "./arguments.js";
import { git, reasonOf } from "./git.js";
import type { ProjectLocation } from "../project/find-project.js";
import { ConfigurationError } from "../errors.js";
import { type OpenProject, withProject } from "./project.js";

/** The files of a commit in a temporary folder. The checkout is not changed. */
export interface BaseTree {
  /** The root folder of the repository. */
  readonly repository: string;
  /** The root folder of the commit's files; corresponds to `repository`. */
  readonly folder: string;
  /** The new names of renamed files by their old ones; both relative to the repository, with `/`. */
  readonly renamed: ReadonlyMap<string, string>;
}

/**
 * Lends out the files of a commit, with the currently installed packages.
 *
 * @throws {UsageError} There is no repository, or no such commit.
 */
export async function withBaseTree<Result>(
  ref: string,
  projectFolder: string,
  use: (tree: BaseTree) => Promise<Result>,
): Promise<Result> {
  const repository = await repositoryOf(projectFolder);
  const commit = await commitOf(ref, repository);
  const temporary = await realpath(await mkdtemp(path.join(tmpdir(), "lettershop-base-")));
  const options = { recursive: true, force: true, maxRetries: 5 };
  // Clean up if the process exits early, too.
  const removeAtExit = () => rmSync(temporary, options);
  process.once("exit", removeAtExit);
  try {
    const folder = path.join(temporary, "tree");
    const env = { GIT_INDEX_FILE: path.join(temporary, "index") };
    await git(repository, ["read-tree", commit], env);
    await git(repository, ["checkout-index", "--all", "--quiet", `--prefix=${folder}/`], env);
    await linkPackages(repository, folder, await git(repository, ["ls-files", "-z", "*package.json"], env));
    return await use({ repository, folder, renamed: await renamedSince(commit, repository) });
  } finally {
    await rm(temporary, options);
    process.off("exit", removeAtExit);
  }
}

/**
 * The root of the repository that contains a folder, with symbolic links resolved.
 *
 * @throws {UsageError} The folder is not in a repository, or git is not installed.
 */
export async function repositoryOf(folder: string): Promise<string> {
  const root = await git(folder, ["rev-parse", "--show-toplevel"]).catch((cause: unknown) => {
    if (cause instanceof UsageError) throw cause;
    const hint = reasonOf(cause);
    throw new UsageError(`This needs a git repository, and ${folder} is not in one.`, { cause, ...(hint && { hint }) });
  });
  return realpath(root.trimEnd());
}

async function commitOf(ref: string, repository: string): Promise<string> {
  const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${ref}^{commit}`];
  const commit = await git(repository, args).catch((cause: unknown) => {
    throw new UsageError(`git can't find the commit "${ref}" here.`, {
      cause,
      hint: "A shallow clone, as in CI, may need to fetch it first: git fetch origin BRANCH",
    });
  });
  return commit.trim();
}

/** Commits contain no installed packages: link each package's `node_modules` from the checkout. */
async function linkPackages(repository: string, folder: string, manifests: string): Promise<void> {
  const packages = manifests.split("\0").filter((file) => path.posix.basename(file) === "package.json");
  for (const name of new Set([".", ...packages.map((file) => path.posix.dirname(file))])) {
    const installed = path.join(repository, name, "node_modules");
    const link = path.join(folder, name, "node_modules");
    if (!existsSync(installed) || existsSync(link)) continue;
    await mkdir(path.dirname(link), { recursive: true });
    await symlink(installed, link, "junction");
  }
}

async function renamedSince(commit: string, repository: string): Promise<ReadonlyMap<string, string>> {
  const names = await git(repository, [
    // Otherwise git briefly locks the index, and a commit made at that moment fails.
    "-c",
    "diff.autoRefreshIndex=false",
    "diff",
    "--name-status",
    "--find-renames",
    "--diff-filter=R",
    "-z",
    commit,
    "--",
  ]);
  const renamed = new Map<string, string>();
  const fields = names.split("\0");
  for (let index = 0; index + 2 < fields.length; index += 3)
    renamed.set(fields[index + 1] ?? "", fields[index + 2] ?? "");
  return renamed;
}

/**
 * Opens the project at the tree's commit.
 *
 * @throws {ConfigurationError} The commit has no such project, or its configuration cannot be read.
 */
export async function withBaseProject<Result>(
  { repository, folder }: BaseTree,
  { folder: projectFolder, configFile }: ProjectLocation,
  use: (open: OpenProject) => Promise<Result>,
): Promise<Result> {
  const cwd = path.join(folder, path.relative(repository, projectFolder));
  if (!existsSync(cwd)) throw noProject();
  // A default name is looked for, because its extension may have been different then.
  const isNamed = configFile !== undefined && !path.basename(configFile).startsWith("lettershop.config.");
  const config = isNamed ? path.join(folder, path.relative(repository, configFile)) : undefined;
  return withProject({ cwd, config }, (open) => {
    // The search also looks in parent folders, and the tree may be inside the current project.
    if (path.relative(folder, open.project.folder).startsWith("..")) throw noProject();
    return use(open);
  });
}

function noProject(): ConfigurationError {
  return new ConfigurationError("This project does not exist at the commit.");
}
