import type { Diagnostic } from "../../diagnostic.js";
import type { Compilation } from "../compilation.js";
import { positionNear } from "../tokenised.js";
import { findImbalance } from "./balance.js";

/** Invariant 4: the html is balanced in every view, however often its sections are shown. */
export function checkBalanced({ html, template }: Compilation): Diagnostic[] {
  const problem = findImbalance(html.text, html.tags);
  if (!problem) return [];
  const { message, offset, hint } = problem;
  const at = positionNear(html, offset) ?? { file: template.body.file };
  return [{ rule: "markup-unbalanced", severity: "error", message, at, ...(hint !== undefined && { hint }) }];
}
