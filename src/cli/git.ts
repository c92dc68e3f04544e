import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { withoutSecrets } from "../project/own-environment.js";
import { UsageError } from "./arguments.js";

const run = promisify(execFile);

/**
 * Runs git in a folder and returns its standard output.
 *
 * @throws {UsageError} git is not installed.
 */
export async function git(folder: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  try {
    // Inside a git hook, these variables point to the hook's repository, with paths relative to its own folder.
    const { GIT_DIR: _1, GIT_WORK_TREE: _2, GIT_INDEX_FILE: _3, GIT_PREFIX: _4, ...others } = withoutSecrets({});
    const options = { env: { ...others, ...env }, maxBuffer: 256 * 1024 * 1024 };
    return (await run("git", ["-C", folder, ...args], options)).stdout;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT")
      throw new UsageError("This needs git, which is not installed.", { cause: error });
    throw error;
  }
}

export interface GitCommit {
  readonly id: string;
  /** Unix seconds. */
  readonly time: number;
}

/** The commit that is checked out in a folder; undefined if git can't say. */
export async function checkedOut(folder: string): Promise<GitCommit | undefined> {
  // Unlike `git log`, `git rev-list` runs no programs from the repository's configuration.
  const line = await git(folder, ["rev-list", "--max-count=1", "--timestamp", "HEAD"]).catch(() => "");
  const [, time, id] = /^([0-9]+) ([0-9a-f]+)$/m.exec(line) ?? [];
  return id === undefined ? undefined : { id, time: Number(time) };
}

export function reasonOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("stderr" in error)) return undefined;
  return /^fatal: (.*)$/m.exec(String(error.stderr))?.[1];
}
