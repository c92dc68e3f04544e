import { spawn } from "node:child_process";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { writePrivate } from "./kept-token.js";

/** Opens an address in the browser that the system prefers; where there is none, nothing happens. */
export function openInBrowser(url: string): void {
  const [command, ...args] = commandFor(process.platform, url);
  const child = spawn(command, args, { stdio: "ignore", detached: true, windowsVerbatimArguments: true });
  child.on("error", () => undefined);
  child.unref();
}

/** The same for a URL with a token: other users of the machine see what a command is started with, and not what is in this file. */
export function openPrivately(url: string, dataFolder: string): void {
  const file = path.join(dataFolder, "open-preview.html");
  const isWritten = writePrivate(file, `<!doctype html><meta http-equiv="refresh" content="0; url=${url}">\n`);
  if (isWritten) openInBrowser(pathToFileURL(file).href);
}

function commandFor(platform: NodeJS.Platform, url: string): readonly [string, ...string[]] {
  if (platform === "darwin") return ["open", url];
  if (platform === "win32") return ["cmd", "/c", "start", '""', `"${url}"`];
  return ["xdg-open", url];
}
