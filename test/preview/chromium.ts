import { existsSync } from "node:fs";

/** The browser that is named, else the system's, else the one of the registry. */
export async function chromiumFile(): Promise<string> {
  const { CHROMIUM_PATH } = process.env;
  const installed = [CHROMIUM_PATH, "/usr/bin/chromium", "/usr/bin/chromium-browser"].find(
    (file) => file !== undefined && existsSync(file),
  );
  if (installed !== undefined) return installed;
  const { default: packed } = await import("@sparticuz/chromium");
  return packed.executablePath();
}

/** Before all tests: the registry's browser is unpacked once, where all of them find it, and not by each in its own folder. */
export async function setup(): Promise<void> {
  process.env["CHROMIUM_PATH"] = await chromiumFile();
}
