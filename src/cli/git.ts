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
      throw new UsageError("--base needs git, which is not installed.", { cause: error });
    throw error;
  }
}

/** The commit that is checked out in a folder; undefined outside of a repository, or without git. */
export async function commitIn(folder: string): Promise<string | undefined> {
  return git(folder, ["rev-parse", "HEAD"]).then(
    (text) => text.trim(),
    () => undefined,
  );
}

/** What git says of why it failed. */
export function reasonOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("stderr" in error)) return undefined;
  return /^fatal: (.*)$/m.exec(String(error.stderr))?.[1];
}
