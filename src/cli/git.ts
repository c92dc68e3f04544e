import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { withoutSecrets } from "../config/secrets.js";
import { UsageError } from "./arguments.js";

const run = promisify(execFile);

/**
 * Runs git in a folder and gives what it prints.
 *
 * @throws {UsageError} git is not there.
 */
export async function git(folder: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  try {
    // Within a hook, these name the repository that runs it, by paths that are right in its own folder only.
    const { GIT_DIR: _1, GIT_WORK_TREE: _2, GIT_INDEX_FILE: _3, GIT_PREFIX: _4, ...others } = withoutSecrets({});
    const options = { env: { ...others, ...env }, maxBuffer: 256 * 1024 * 1024 };
    return (await run("git", ["-C", folder, ...args], options)).stdout;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT")
      throw new UsageError("This needs git, which is not installed.", { cause: error });
    throw error;
  }
}

export interface Commit {
  readonly id: string;
  /** Unix seconds. */
  readonly time: number;
}

/** The commit that is checked out in a folder; undefined where git does not tell. */
export async function checkedOut(folder: string): Promise<Commit | undefined> {
  // Unlike `git log`, this runs nothing that the repository's configuration names.
  const line = await git(folder, ["rev-list", "--max-count=1", "--timestamp", "HEAD"]).catch(() => "");
  const [, time, id] = /^([0-9]+) ([0-9a-f]+)$/m.exec(line) ?? [];
  return id === undefined ? undefined : { id, time: Number(time) };
}

/** What git says of why it failed. */
export function reasonOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("stderr" in error)) return undefined;
  return /^fatal: (.*)$/m.exec(String(error.stderr))?.[1];
}
