import type { TagTable } from "../../mustache/tokens.js";
import type { Findings } from "../findings.js";
import { findImbalance } from "../invariants/balance.js";
import { chainNote } from "../source/chain.js";
import { withoutSites } from "../source/sites.js";
import { elementsOf } from "./document.js";
import type { MjmlElement } from "./element.js";

/**
 * An element may begin in one mj-raw and end in another. If the whole is not balanced, one of these is the cause, and its
 * source position is only known here.
 */
export function checkRawHalves(
  document: MjmlElement,
  html: string,
  { tags, findings }: { tags: TagTable; findings: Findings },
): void {
  const halves = elementsOf(document).filter(
    ({ tagName, content }) => tagName === "mj-raw" && content && findImbalance(content.text, tags),
  );
  const problem = halves.length > 0 ? findImbalance(html, tags) : undefined;
  if (!problem) return;
  const written = /^<[^\s>]+/.exec(html.slice(problem.offset))?.[0] ?? "";
  const half = halves.find(({ content }) => content?.text.includes(written)) ?? halves[0];
  if (!half?.content) return;
  const { mapped, chain } = half.source;
  const at = mapped.positionAt(half.content.start + Math.max(0, withoutSites(half.content.text).indexOf(written)));
  findings.error("markup-unbalanced", problem.message + chainNote(chain), at, problem.hint);
}
