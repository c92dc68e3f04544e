import type { TagTable } from "../../mustache/tokens.js";
import type { Template } from "../../template/template.js";
import type { Findings } from "../findings.js";
import { assemble } from "../source/assemble.js";
import { PartReader } from "../source/parts.js";
import type { Tokenised } from "../tokenised.js";

export interface WrittenText extends Tokenised {
  readonly sources: readonly string[];
}

/** The hand-written text body next to the template; undefined if it is to be derived. */
export async function readWrittenText(template: Template, findings: Findings): Promise<WrittenText | undefined> {
  if (!template.text) return undefined;
  const tags: TagTable = [];
  const parts = new PartReader(template.root, findings);
  const { verbatim = false } = template.metadata;
  const { text } = await assemble([template.text], { root: template.root, parts, tags, findings, verbatim });
  return { text: verbatim ? text : text.trimEnd(), tags, sources: [template.text.file, ...parts.sources] };
}
