import path from "node:path";
import type { AssetsConfig } from "../../project/config.js";
import { findProject, type ProjectLocation } from "../../project/find-project.js";
import { ConfigurationError, LettershopError } from "../../errors.js";
import type { Commit } from "../../preview/contract.js";
import type { CommitsAccess, CommittedProject } from "../../preview/server/preview-access.js";
import { UsageError } from "../arguments.js";
import { type BaseTree, repositoryOf, withBaseProject, withBaseTree } from "../base-tree.js";
import { git } from "../git.js";
import { compileContext, type OpenProject, type ProjectFlags, workingFolder } from "../project.js";
import { relativeTo } from "../report/check-report.js";

/** Maximum number of a template's commits to list. */
const LISTED = 10;

/** File names are taken literally, and git runs no programs from the repository's configuration. */
const LOG = ["--literal-pathspecs", "-c", "log.showSignature=false", "log", "--encoding=UTF-8", "--no-color"];

/**
 * Lets the preview show templates at earlier commits. Only ancestors of the checked-out commit are allowed: showing a template
 * runs its code, a link can name any commit, and a commit that was only fetched may not have been reviewed.
 *
 * @returns Undefined if the project is not in a repository or git is not installed.
 */
export async function projectCommits(flags: ProjectFlags): Promise<CommitsAccess | undefined> {
  const location = await findProject({ cwd: workingFolder(flags), configFile: flags.config });
  const repository = await repositoryOf(location.folder).catch(() => undefined);
  if (repository === undefined) return undefined;

  return {
    async list([body = "", ...others]) {
      const isTracked = (file: string) => !/^\.\.(?:\/|$)/.test(relativeTo(repository, file));
      const files = [body, ...others].filter(isTracked);
      const [[last], changing, renamed] = await Promise.all([
        log(repository, 1, []),
        files.length > 0 ? log(repository, LISTED, ["--", ...files]) : [],
        isTracked(body) ? log(repository, LISTED, ["--follow", "--", body]) : [],
      ]);
      const known = new Set(changing.map(({ hash }) => hash));
      const all = [...changing, ...renamed.filter(({ hash }) => !known.has(hash))];
      const ofTemplate = all.toSorted((a, b) => Date.parse(b.committedAt) - Date.parse(a.committedAt));
      return { ...(last && { last }), ofTemplate: ofTemplate.slice(0, LISTED) };
    },

    async withProject(hash, lend) {
      await requireHistory(hash, repository);
      return withBaseTree(hash, location.folder, (tree) => openThen(hash, tree, location, lend));
    },
  };
}

async function openThen<Result>(
  hash: string,
  tree: BaseTree,
  location: ProjectLocation,
  lend: (then: CommittedProject) => Promise<Result>,
): Promise<Result> {
  let isOpen = false;
  const use = (open: OpenProject) => {
    isOpen = true;
    const context = (assets: AssetsConfig | undefined) => ({ ...compileContext(open), assets });
    return lend({ project: open.project, context, fileThen: (file) => fileThen(tree, hash, file) });
  };
  try {
    return await withBaseProject(tree, location, use);
  } catch (error) {
    if (isOpen || !(error instanceof LettershopError)) throw error;
    const { message, hint } = error;
    // The temporary tree will be gone, so messages name the repository's files.
    const reason = message.replaceAll(tree.folder, tree.repository);
    throw new ConfigurationError(`Can't open the project at commit ${hash}: ${reason}`, {
      cause: error,
      ...(hint !== undefined && { hint }),
    });
  }
}

async function fileThen({ folder, repository, renamed }: BaseTree, hash: string, file: string): Promise<string> {
  const name = relativeTo(repository, file);
  const range = ["--diff-filter=R", "--name-status", "-z", "--format=", `${hash}..HEAD`];
  const renames = await git(repository, [...LOG, ...range, "--follow", "--", name]).catch(() => "");
  const [, first] = [...renames.matchAll(/R\d+\0([^\0]+)\0/g)].at(-1) ?? [];
  // Renames that are not committed yet are only in `renamed`.
  const [before] = [...renamed].find(([, now]) => now === name) ?? [];
  return path.join(folder, first ?? before ?? name);
}

/** @throws {UsageError} The commit is not an ancestor of the checked-out one. */
async function requireHistory(hash: string, repository: string): Promise<void> {
  await git(repository, ["merge-base", "--is-ancestor", hash, "HEAD"]).catch((error: unknown) => {
    // The caller reports any other error when it reads the commit.
    if (!(error instanceof Error) || !("code" in error) || error.code !== 1) return;
    throw new UsageError(`The commit ${hash} is not in the history of the checked-out branch.`, { cause: error });
  });
}

/** Commits from `git log`; empty if nothing was committed yet. */
async function log(repository: string, most: number, args: readonly string[]): Promise<readonly Commit[]> {
  const format = [`--max-count=${most}`, "--format=%h%x00%cI%x00%s"];
  const lines = await git(repository, [...LOG, ...format, ...args]).catch(() => "");
  return lines.split("\n").flatMap((line) => {
    const [hash = "", committedAt = "", subject = ""] = line.split("\0");
    return hash === "" ? [] : [{ hash, committedAt, subject }];
  });
}
