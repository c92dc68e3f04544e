import { readFile } from "node:fs/promises";
import { hostname } from "node:os";

/** Identifies a process, so that a later one with the same number is not mistaken for it. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly host: string;
  /** When the process started, in a system-specific format; absent if the system does not tell. */
  readonly born?: string;
}

export async function ownIdentity(): Promise<ProcessIdentity> {
  const { pid } = process;
  const born = await birthOf(pid);
  return { pid, host: hostname(), ...(born === undefined ? {} : { born }) };
}

/** Whether a process has definitely ended. This is never known for another machine's process. */
export async function hasEnded({ pid, host, born }: ProcessIdentity): Promise<boolean> {
  if (host !== hostname()) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    // The process may also belong to another user.
    return error instanceof Error && "code" in error && error.code === "ESRCH";
  }
  return born !== undefined && born !== (await birthOf(pid));
}

/**
 * On Linux: the boot id and the 22nd field of the process's state, counted after its name, which may contain spaces.
 */
async function birthOf(pid: number): Promise<string | undefined> {
  if (process.platform !== "linux") return undefined;
  try {
    const [boot, state] = await Promise.all([
      readFile("/proc/sys/kernel/random/boot_id", "utf8"),
      readFile(`/proc/${pid}/stat`, "utf8"),
    ]);
    const started = state.slice(state.lastIndexOf(")") + 2).split(" ")[19];
    return started === undefined ? undefined : `${boot.trim()} ${started}`;
  } catch {
    return undefined;
  }
}
