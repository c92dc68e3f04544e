import { readFile } from "node:fs/promises";
import { hostname } from "node:os";

/** Which process it is, so that no later one with the same number is taken for it. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly host: string;
  /** When the process began, by the system's own count; absent where the system doesn't tell. */
  readonly born?: string;
}

export async function ownIdentity(): Promise<ProcessIdentity> {
  const { pid } = process;
  const born = await birthOf(pid);
  return { pid, host: hostname(), ...(born === undefined ? {} : { born }) };
}

/** Whether a process surely has ended. Of another machine's process nothing is known. */
export async function hasEnded({ pid, host, born }: ProcessIdentity): Promise<boolean> {
  if (host !== hostname()) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    // It may also be that of another user.
    return error instanceof Error && "code" in error && error.code === "ESRCH";
  }
  return born !== undefined && born !== (await birthOf(pid));
}

/** Linux tells: the boot, and the 22nd field of the process's state, counted behind its name, which may have spaces. */
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
