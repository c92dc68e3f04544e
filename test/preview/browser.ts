import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";
import { afterAll } from "vitest";

/** What keeps Chromium quick and away from the network. */
const ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

let launched: Promise<Browser> | undefined;

/**
 * The browser of this test file: started when it is first asked for, closed behind its last test.
 *
 * @example
 * const page = await (await browser()).newPage({ viewport: { width: 1440, height: 900 } });
 */
export function browser(): Promise<Browser> {
  launched ??= launch();
  return launched;
}

afterAll(async () => {
  await (await launched)?.close();
});

async function launch(): Promise<Browser> {
  const { file, args } = await chromiumFile();
  return chromium.launch({ executablePath: file, args: [...args, ...ARGUMENTS] });
}

/** The browser that is named, else the system's, else the one of the registry; and what that one has to be told. */
export async function chromiumFile(): Promise<{ readonly file: string; readonly args: readonly string[] }> {
  const { CHROMIUM_PATH } = process.env;
  const installed = [CHROMIUM_PATH, "/usr/bin/chromium", "/usr/bin/chromium-browser"].find(
    (file) => file !== undefined && existsSync(file),
  );
  if (installed !== undefined) return { file: installed, args: [] };
  const { default: packed } = await import("@sparticuz/chromium");
  return { file: await packed.executablePath(), args: packed.args };
}
