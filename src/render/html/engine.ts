import type { TagTable } from "../../mustache/tokens.js";
import { findImbalance } from "../invariants/balance.js";
import type { Engine } from "../engine.js";
import { Findings } from "../findings.js";
import { scanMarkup } from "../../markup.js";
import { assemble } from "../source/assemble.js";
import { PartReader } from "../source/parts.js";
import { titleText } from "../text/derive.js";
import { tagsOutsideComments } from "../whitespace.js";

/** HTML stays as it is; only its partials are put in their places. */
export const compileHtml: Engine = async (template) => {
  const findings = new Findings();
  const tags: TagTable = [];
  const parts = new PartReader(template.root, findings);
  const mapped = await assemble([template.body], { root: template.root, parts, tags, findings });
  const markup = scanMarkup(mapped.text);
  const [unclosed] = markup.problems;
  const imbalance = unclosed ? undefined : findImbalance(mapped.text, tags);
  for (const [rule, problem] of [
    ["markup-unclosed", unclosed],
    ["markup-unbalanced", imbalance],
  ] as const) {
    if (problem) findings.error(rule, problem.message, mapped.positionAt(problem.offset), problem.hint);
  }
  const opening = markup.pieces.findIndex((piece) => piece.kind === "open" && piece.name === "title");
  const title = markup.pieces[opening + 1];
  return {
    html: mapped.text,
    tags,
    expected: tagsOutsideComments(mapped.text),
    ...(opening >= 0 &&
      title?.kind === "text" && { title: await titleText(mapped.text.slice(title.start, title.end)) }),
    sources: [template.body.file, ...parts.sources],
    diagnostics: findings.diagnostics,
  };
};
