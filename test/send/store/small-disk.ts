import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";

export interface SmallDisk {
  readonly folder: string;
  /** Writes until there is no room left. */
  fill(): void;
  /** Frees space again. */
  clear(): void;
  /** The same folder at another path, where nothing can be written. */
  readOnly(): string;
}

/** Whether this process may mount a file system, as root may in many containers. */
export const canMount = process.platform === "linux" && tryToMount();

/** A disk of one megabyte, removed after the test. */
export function smallDisk(): SmallDisk {
  const folder = mount();
  onTestFinished(() => unmount(folder));
  const filler = path.join(folder, "filler");
  return {
    folder,
    fill() {
      const file = openSync(filler, "a");
      try {
        for (;;) writeSync(file, Buffer.alloc(4096));
      } catch {
        closeSync(file);
      }
    },
    clear: () => rmSync(filler, { force: true }),
    readOnly() {
      const other = mkdtempSync(path.join(tmpdir(), "read-only disk-"));
      execFileSync("mount", ["--bind", folder, other]);
      onTestFinished(() => unmount(other));
      execFileSync("mount", ["-o", "remount,bind,ro", other]);
      return other;
    },
  };
}

function tryToMount(): boolean {
  try {
    unmount(mount());
    return true;
  } catch {
    return false;
  }
}

function mount(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "small disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", folder], { stdio: "pipe" });
  } catch (error) {
    rmSync(folder, { recursive: true });
    throw error;
  }
  return folder;
}

function unmount(folder: string): void {
  execFileSync("umount", ["-l", folder], { stdio: "pipe" });
  rmSync(folder, { recursive: true });
}
