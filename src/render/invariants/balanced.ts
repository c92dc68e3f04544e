import type { Diagnostic, SourcePosition } from "../../diagnostic.js";
import type { MarkupProblem } from "../../text/markup/scan.js";
import { token, TOKEN } from "../../mustache/tokens.js";
import { positionAt } from "../../text/position.js";
import type { SourceFile } from "../../template/template.js";
import type { Compilation } from "../compilation.js";
import { positionNear, type Tokenised } from "../tokenised.js";
import { findImbalance } from "./balance.js";

/** Invariant 4: the HTML is balanced in every view, however often its sections are shown. */
export function checkBalanced({ html, whole, hiding, template, contract }: Compilation): Diagnostic[] {
  const problem = findImbalance(html.text, html.tags, contract) ?? problemOfHiding(whole, hiding);
  if (!problem) return [];
  const { offset, hint } = problem;
  const [, section] = new RegExp(`^${TOKEN.source}`).exec(html.text.slice(offset)) ?? [];
  const message = problem.message + (html.tags[Number(section)]?.note ?? "");
  const at = positionOfTag(html.text, offset, template.body) ??
    positionNear(html, offset) ?? { file: template.body.file };
  return [{ rule: "markup-unbalanced", severity: "error", message, at, ...(hint !== undefined && { hint }) }];
}

/** The position of a tag that occurs once in the source. */
function positionOfTag(html: string, from: number, { file, text }: SourceFile): SourcePosition | undefined {
  const [tag = ""] = /^<[a-z][^<>\uE000]*>/i.exec(html.slice(from)) ?? [];
  const offset = tag === "" ? -1 : text.indexOf(tag);
  return offset < 0 || text.indexOf(tag, offset + 1) >= 0 ? undefined : { file, ...positionAt(text, offset) };
}

/** Elements whose end tag is omitted may be hidden, too. */
function problemOfHiding({ text, tags }: Tokenised, hiding: number | undefined): MarkupProblem | undefined {
  if (hiding === undefined) return undefined;
  return {
    message: `The section ${tags[hiding]?.text} decides whether HTML around it is hidden, because a hidden element begins or ends in it.`,
    offset: text.indexOf(token(hiding)),
    hint: "Let the section contain whole elements: a <p> ends where a table, a list or another <p> begins.",
  };
}
