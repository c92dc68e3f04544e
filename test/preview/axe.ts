import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";

// What the package exports is twice as long, and nothing else.
const source = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/**
 * What axe finds on a page, but for its emails: rules, each with the elements that it is about.
 *
 * @param within A selector of the part to look at. Default: the whole page.
 * @param rules Only these. Default: all of them.
 */
export async function axeViolations(
  page: Page,
  { within, rules }: { readonly within?: string; readonly rules?: readonly string[] } = {},
): Promise<[rule: string, elements: readonly string[]][]> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(source);
  const context = JSON.stringify(within ?? { exclude: ["iframe"] });
  const options = JSON.stringify({ iframes: false, ...(rules && { runOnly: rules }) });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- axe's own
  const { violations } = (await page.evaluate(`axe.run(${context}, ${options})`)) as AxeResults;
  return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
}
