import { spawnSync } from "node:child_process";

const OPTIONS = ["user.name=Ada", "user.email=ada@example.com", "commit.gpgsign=false", "maintenance.auto=false"];

/** Runs git in a folder, with a user name. */
export function git(folder: string, ...args: readonly string[]): string {
  const options = OPTIONS.flatMap((option) => ["-c", option]);
  const { status, stdout, stderr } = spawnSync("git", [...options, ...args], { cwd: folder, encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}
