import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import type * as Playwright from "playwright-core";
import { chromiumPath } from "../../config/chromium.js";
import { ConfigurationError } from "../../errors.js";
import { resolvePeer } from "../../render/peer.js";

/** Paths in common distributions. Chrome and Edge are found by their channels. */
const places = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/snap/bin/chromium",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/**
 * Starts an installed Chromium: the one in `CHROMIUM_PATH`, Playwright's own, or the system's.
 *
 * @param folder The project's folder, in which `playwright-core` is looked up first.
 * @throws {MissingPeerError} `playwright-core` is not installed.
 * @throws {ConfigurationError} No browser is installed, or none starts.
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
  throw browserError(named, failure);
}

function loadPlaywright(folder: string): typeof Playwright {
  const file = resolvePeer("playwright-core", folder, "`templates preview shot`");
  const playwright: typeof Playwright = createRequire(import.meta.url)(file);
  return playwright;
}

function browserError(named: string | undefined, cause: unknown): ConfigurationError {
  if (named !== undefined)
    return new ConfigurationError(`Can't start the browser in CHROMIUM_PATH: ${named}`, { cause });
  return new ConfigurationError("Can't start Chromium, Chrome or Edge.", {
    cause,
    hint: "Install Chrome, or run: npx playwright-core install chromium. To use another browser, set CHROMIUM_PATH to its path.",
  });
}
