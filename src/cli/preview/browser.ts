import { spawn } from "node:child_process";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { writePrivate } from "./kept-token.js";

/** Opens a URL in the default browser. Does nothing if there is none. */
export function openInBrowser(url: string): void {
  const [command, ...args] = commandFor(process.platform, url);
  const child = spawn(command, args, { stdio: "ignore", detached: true, windowsVerbatimArguments: true });
  child.on("error", () => undefined);
  child.unref();
}

/**
 * Opens a URL that contains a token. Other users of the machine can see a command's arguments, so the browser opens a private
 * file that redirects to the URL.
 */
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
