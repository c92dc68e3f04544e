import type { ChildProcess } from "node:child_process";

/** Kills a process group's leader and everything that it started. */
export function endGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === "win32") child.kill("SIGKILL");
    else process.kill(-child.pid, "SIGKILL");
  } catch {
    // It has already ended.
  }
}
