import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";

/** Of util-linux; by its address, as a project may put programs of its own on the path. */
const PROGRAM = "/usr/bin/unshare";

/** A user namespace, and one of process ids, with the user's own id; what runs in it ends with it. */
const OPTIONS = ["--user", "--map-current-user", "--pid", "--fork", "--kill-child"];

/** It takes two of them; a busy machine may take long to come to it. */
const PROBE_MS = 10_000;

/**
 * The beginning of a command line for what must not look into the processes around it: Linux lets nobody in a user
 * namespace read the environment or the memory of a process outside, and gives a process outside no number to signal.
 *
 * @param folder Where it works. One that belongs to another user can't be written in from there.
 * @returns Empty where the system has no such thing, or doesn't allow it: most containers don't.
 */
export function namespaceOf(folder: string): readonly string[] {
  if (process.platform !== "linux" || statSync(folder).uid !== process.getuid?.()) return [];
  const { status } = spawnSync(PROGRAM, [...OPTIONS, "/bin/true"], { stdio: "ignore", env: {}, timeout: PROBE_MS });
  return status === 0 ? [PROGRAM, ...OPTIONS] : [];
}
