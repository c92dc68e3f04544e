import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";

const lockfiles = [
  ["pnpm-lock.yaml", "pnpm"],
  ["yarn.lock", "yarn"],
  ["bun.lock", "bun"],
  ["bun.lockb", "bun"],
] as const;

/** The package manager whose lockfile is in the folder or a parent; npm if there is none. */
export function packageManager(folder: string): string {
  for (let at = folder; ; at = path.dirname(at)) {
    const lockfile = lockfiles.find(([file]) => existsSync(path.join(at, file)));
    if (lockfile !== undefined) return lockfile[1];
    if (existsSync(path.join(at, "package-lock.json")) || at === path.dirname(at)) return "npm";
  }
}

/** Runs the package manager's install, with its output on standard error. Returns whether it succeeded. */
export async function install(folder: string, manager: string): Promise<boolean> {
  const child = spawn(manager, ["install"], {
    cwd: folder,
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32",
  });
  return new Promise((resolve) => {
    child.once("error", () => resolve(false));
    child.once("exit", (code) => resolve(code === 0));
  });
}
