import { existsSync } from "node:fs";

/** The registry's browser is built for these machines. */
const isPackedForHere = process.platform === "linux" && process.arch === "x64";

/**
 * The browser that is named, else the one of the registry, else the system's: the registry's has no windows, and takes a
 * quarter less of the processor.
 */
export async function chromiumFile(): Promise<string> {
  const { CHROMIUM_PATH } = process.env;
  const named = CHROMIUM_PATH !== undefined && existsSync(CHROMIUM_PATH) ? CHROMIUM_PATH : undefined;
  const installed = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find((file) => existsSync(file));
  const found = named ?? (isPackedForHere ? undefined : installed);
  if (found !== undefined) return found;
  const { default: packed } = await import("@sparticuz/chromium");
  return packed.executablePath();
}

/** Before all tests: the registry's browser is unpacked once, where all of them find it, and not by each in its own folder. */
export async function setup(): Promise<void> {
  process.env["CHROMIUM_PATH"] = await chromiumFile();
}
