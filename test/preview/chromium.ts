import { existsSync } from "node:fs";

/** The registry's browser only exists for these machines. */
const isPackedForHere = process.platform === "linux" && process.arch === "x64";

/**
 * The browser from the environment, otherwise the registry's, otherwise the system's. The registry's has no windows and
 * needs a quarter less CPU time.
 */
export async function chromiumFile(): Promise<string> {
  const { CHROMIUM_PATH } = process.env;
  const named = CHROMIUM_PATH !== undefined && existsSync(CHROMIUM_PATH) ? CHROMIUM_PATH : undefined;
  const installed = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find((file) => existsSync(file));
  const chosen = named ?? (isPackedForHere ? undefined : installed);
  if (chosen !== undefined) return chosen;
  const { default: packed } = await import("@sparticuz/chromium");
  return packed.executablePath();
}

/**
 * Runs before all tests: unpacks the registry's browser once in a shared place, rather than in each test's own folder.
 */
export async function setup(): Promise<void> {
  process.env["CHROMIUM_PATH"] = await chromiumFile();
}
