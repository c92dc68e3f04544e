import { spawn } from "node:child_process";

/** Opens an address in the browser that the system prefers; where there is none, nothing happens. */
export function openInBrowser(url: string): void {
  const [command, ...args] = commandFor(process.platform, url);
  const child = spawn(command, args, { stdio: "ignore", detached: true, windowsVerbatimArguments: true });
  child.on("error", () => undefined);
  child.unref();
}

function commandFor(platform: NodeJS.Platform, url: string): readonly [string, ...string[]] {
  if (platform === "darwin") return ["open", url];
  if (platform === "win32") return ["cmd", "/c", "start", '""', `"${url}"`];
  return ["xdg-open", url];
}
