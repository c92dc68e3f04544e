import { type Browser, chromium } from "playwright-core";
import { chromiumFile } from "./chromium.js";

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
 * The browser of all test files of this process: started when it is first asked for, ended with the process. What a test
 * opens in it, the test closes.
 *
 * @example
 * const page = await (await browser()).newPage({ viewport: { width: 1440, height: 900 } });
 */
export function browser(): Promise<Browser> {
  launched ??= launch();
  return launched;
}

async function launch(): Promise<Browser> {
  return chromium.launch({ executablePath: await chromiumFile(), args: ARGUMENTS, timeout: 120_000 });
}
