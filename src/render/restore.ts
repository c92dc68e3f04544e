import { separateTags } from "../mustache/scan.js";
import { restore, type Tokenised } from "../mustache/tokens.js";
import { scanMarkup } from "../text/markup/scan.js";
import { separateDotted } from "../mustache/check-variables.js";
import type { VariablesContract } from "../mustache/variables.js";
import type { Template, TemplateFields } from "../project/template.js";
import type { Bodies } from "./bodies.js";
import type { DerivedText } from "./text/derive.js";

/**
 * A body with its tags restored, written so that every engine reads it alike, unless it is verbatim.
 *
 * @param as In a text body and a subject, nothing is escaped.
 * @param contract The types of its variables; without it, dotted names stay ambiguous (`separateDotted`).
 */
export function restoreBody(
  { text, tags }: Tokenised,
  as: Body["as"],
  { metadata }: Pick<Template, "metadata">,
  contract?: VariablesContract,
): string {
  if (metadata.verbatim) return restore(text, tags, "html");
  const separated = as === "html" ? separateBraces(text) : text.replace(BRACE_AFTER_TAG, BRACE_IN_TEXT);
  const restored = separateTags(restore(separated, tags, as));
  return contract ? separateDotted(restored, contract) : restored;
}

const BRACE_AFTER_TAG = /(?<=\uE001)\}/g;
/** In plain text there are no entities: an empty comment separates the brace from the tag. */
const BRACE_IN_TEXT = "{{!}}}";

/** Entities are not decoded in these. */
const HOLDS_CODE: readonly string[] = ["style", "script"];

/**
 * Separates a closing brace from the tag before it: some engines refuse `{{color}}}`, and others read it as
 * `{{{color}}}`.
 *
 * @example
 * // with tokens in the place of the tags
 * separateBraces("<style>p{color:{{color}}}</style><p>({{name}}})"); // "<style>p{color:{{color}} }</style><p>({{name}}&#125;)"
 */
export function separateBraces(html: string): string {
  if (!html.includes("\uE001}")) return html;
  let separated = "";
  let containsCode = false;
  for (const piece of scanMarkup(html).pieces) {
    const brace = containsCode || piece.kind === "comment" ? " }" : "&#125;";
    separated += html.slice(piece.start, piece.end).replace(BRACE_AFTER_TAG, brace);
    containsCode = piece.kind === "open" && HOLDS_CODE.includes(piece.name);
  }
  return separated;
}

/** A compiled template whose tags are still tokens, for checking the invariants. */
export interface Compilation extends Omit<Bodies, "names"> {
  readonly template: Template;
  /** The HTML rewritten so that each section contains whole elements. */
  readonly whole: Tokenised;
  readonly text: Tokenised;
  readonly contract: VariablesContract;
  /** What the text body was derived to; undefined if the text is hand-written. */
  readonly derived?: Pick<DerivedText, "skipped" | "hiding">;
}

interface Body {
  readonly field: "subject" | "html_body" | "text_body";
  readonly content: Tokenised;
  /** How its tags are restored. */
  readonly as: "html" | "text";
}

export function bodiesOf({ subject, html, text }: Compilation): readonly Body[] {
  return [
    { field: "subject", content: subject, as: "text" },
    { field: "html_body", content: html, as: "html" },
    { field: "text_body", content: text, as: "text" },
  ];
}

/** The fields for the service. */
export function restoreBodies(compilation: Compilation): Pick<TemplateFields, Body["field"]> {
  const { subject, html, text, contract, template } = compilation;
  return {
    subject: restoreBody(subject, "text", template, contract),
    html_body: restoreBody(html, "html", template, contract),
    text_body: restoreBody(text, "text", template, contract),
  };
}
