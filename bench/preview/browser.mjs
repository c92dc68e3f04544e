// @ts-check
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

/** Chromium: the one that is named, else the system's, else the registry's. */
export async function launchBrowser() {
  const installed = [process.env["CHROMIUM_PATH"], "/usr/bin/chromium"].find((file) => file && existsSync(file));
  const executablePath = installed ?? (await (await import("@sparticuz/chromium")).default.executablePath());
  return chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
}

/** Between two looks. */
const LOOK_MS = 10;
const PATIENCE_MS = 120_000;

/**
 * Waits until an email in one of the page's frames has these words.
 *
 * @param {import("playwright-core").Page} page
 * @param {string} words
 */
export async function shows(page, words) {
  const until = performance.now() + PATIENCE_MS;
  while (performance.now() < until) {
    for (const frame of page.frames().slice(1)) {
      // A frame that is just being replaced has none.
      const text = await frame.evaluate("document.body?.textContent ?? ''").catch(() => "");
      if (String(text).includes(words)) return;
    }
    await page.waitForTimeout(LOOK_MS);
  }
  throw new Error(`${page.url()} never showed "${words}".`);
}
