import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import type * as Playwright from "playwright-core";
import { chromiumPath } from "../../config/chromium.js";
import { ConfigurationError } from "../../errors.js";
import { resolvePeer } from "../../render/peer.js";

/** Where distributions put it; Chrome and Edge are found by their channels. */
const places = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/snap/bin/chromium",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/**
 * Starts the Chromium that is there: the one that `CHROMIUM_PATH` names, Playwright's own, or the system's.
 *
 * @param folder The project's, where `playwright-core` is looked for first.
 * @throws {MissingPeerError} `playwright-core` is not installed.
 * @throws {ConfigurationError} There is no browser, or none that starts.
 */
export async function launchChromium(folder: string, args: readonly string[]): Promise<Playwright.Browser> {
  const { chromium } = loadPlaywright(folder);
  const named = chromiumPath();
  const choices: Playwright.LaunchOptions[] =
    named === undefined
      ? [
          ...[chromium.executablePath(), ...places]
            .filter((file) => existsSync(file))
            .map((executablePath) => ({ executablePath })),
          { channel: "chrome" },
          { channel: "msedge" },
        ]
      : [{ executablePath: named }];
  let failure: unknown;
  for (const choice of choices) {
    try {
      return await chromium.launch({ ...choice, args: [...args] });
    } catch (error) {
      failure ??= error;
    }
  }
  throw noBrowser(named, failure);
}

function loadPlaywright(folder: string): typeof Playwright {
  const file = resolvePeer("playwright-core", folder, "`templates preview shot`");
  const playwright: typeof Playwright = createRequire(import.meta.url)(file);
  return playwright;
}

function noBrowser(named: string | undefined, cause: unknown): ConfigurationError {
  if (named !== undefined)
    return new ConfigurationError(`CHROMIUM_PATH names ${named}, which does not start.`, { cause });
  return new ConfigurationError("There is no Chromium, Chrome or Edge that starts.", {
    cause,
    hint: "Install Chrome, or run: npx playwright-core install chromium. CHROMIUM_PATH names one elsewhere.",
  });
}
