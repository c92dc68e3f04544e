// @ts-check
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

/** Launches Chromium: the one in `CHROMIUM_PATH`, otherwise the system's, otherwise the registry's. */
export async function launchBrowser() {
  const installed = [process.env["CHROMIUM_PATH"], "/usr/bin/chromium"].find((file) => file && existsSync(file));
  const executablePath = installed ?? (await (await import("@sparticuz/chromium")).default.executablePath());
  return chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
}

/** Between two checks. */
const INTERVAL_MS = 10;
const TIMEOUT_MS = 120_000;

/**
 * Waits until an email in one of the page's frames contains this text.
 *
 * @param {import("playwright-core").Page} page
 * @param {string} text
 */
export async function waitForText(page, text) {
  const deadline = performance.now() + TIMEOUT_MS;
  while (performance.now() < deadline) {
    for (const frame of page.frames().slice(1)) {
      // A frame that is being replaced has no text.
      const content = await frame.evaluate("document.body?.textContent ?? ''").catch(() => "");
      if (String(content).includes(text)) return;
    }
    await page.waitForTimeout(INTERVAL_MS);
  }
  throw new Error(`${page.url()} did not show "${text}".`);
}
