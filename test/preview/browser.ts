import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { RunOptions } from "axe-core";
import { type Browser, chromium, type Page } from "playwright-core";
import { chromiumFile } from "./chromium.js";

/** Flags that make Chromium fast and keep it off the network. */
const ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // A page that lives for seconds never earns back the cost of optimising compilation, which is half of all its work.
  "--js-flags=--no-maglev --no-opt",
];

let launched: Promise<Browser> | undefined;

/**
 * The browser shared by all test files of this process. It starts on first use and ends with the process. A test closes
 * whatever it opens in it.
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

let axe: string | undefined;

/**
 * The problems that axe finds in a page, without its frames: rules with the elements that violate them.
 *
 * @param within Selector of the part of the page to check.
 */
export async function violations(page: Page, within = "html", options: RunOptions = {}): Promise<readonly string[][]> {
  // A document loads axe only once and reports only what is needed, because each of these costs as much as a run.
  if (!(await page.evaluate("'axe' in window"))) {
    axe ??= readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
    await page.evaluate(axe);
  }
  const run = { iframes: false, resultTypes: ["violations"], ...options } satisfies RunOptions;
  return page.evaluate(`axe
    .run(${JSON.stringify({ include: [within], exclude: ["iframe"] })}, ${JSON.stringify(run)})
    .then(({ violations }) => violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]))`);
}
