import { checkNames } from "../mustache/names.js";
import { protect, type TagTable } from "../mustache/tokens.js";
import { jsonPosition } from "../template/json.js";
import type { Template } from "../template/template.js";
import type { EngineOutput } from "./engine.js";
import type { Findings } from "./findings.js";
import type { Tokenised } from "./tokenised.js";

/** The subject from template.json, or else from the body; empty if there is none. On one line, unless it is verbatim. */
export function readSubject(template: Template, output: EngineOutput, findings: Findings): Tokenised {
  const { metadata, metadataSource, body } = template;
  if (metadata.subject === undefined) return { text: onOneLine(output.title ?? ""), tags: output.tags };
  const at = metadataSource ? jsonPosition(metadataSource, ["subject"]) : { file: body.file };
  const written: TagTable = [];
  const { verbatim = false } = metadata;
  const { text, tree, problems } = protect(metadata.subject, at.file, written, { keepsComments: verbatim });
  for (const { message, hint } of problems) findings.error("mustache-syntax", message, at, hint);
  for (const { message, hint } of checkNames(tree)) findings.error("mustache-name", message, at, hint);
  return { text: verbatim ? text : onOneLine(text), tags: written.map((tag) => ({ ...tag, at })) };
}

function onOneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
