import { ConditionNames } from "../mustache/condition-names.js";
import { languageOf } from "../project/language.js";
import type { Template, TemplateFields } from "../project/template.js";
import { resolveAssets } from "./assets.js";
import { nameConditions, nameOutputConditions } from "./contract.js";
import type { CompileContext, EngineOutput } from "./engine.js";
import type { Findings } from "./findings.js";
import { protect, restore, roleOf, tagsIn, type TagTable, TOKEN, type Tokenised } from "../mustache/tokens.js";
import { checkNames } from "../mustache/names.js";
import { jsonPosition } from "../project/source-file.js";
import {
  type Attribute,
  CONDITIONAL_BLOCK,
  isConditionalComment,
  type MarkupPiece,
  type OpenTag,
  scanMarkup,
} from "../text/markup/scan.js";
import { separateTags } from "../mustache/scan.js";
import { separateDotted } from "../mustache/check-variables.js";
import type { VariablesContract } from "../mustache/variables.js";
import type { DerivedText } from "./text/derive.js";

/** An engine's output as the service will get it, except that tags are still tokens. */
export interface Bodies {
  /** With names for its conditions. */
  readonly output: EngineOutput;
  readonly names: ConditionNames;
  readonly subject: Tokenised;
  readonly html: Tokenised;
}

export interface BodiesOptions {
  readonly context: CompileContext;
  readonly findings: Findings;
  /** Receives the paths at which images were looked up. */
  readonly places?: Set<string>;
}

/** The steps from an engine's HTML to the HTML body, which are the same for every engine and in every build. */
export function readBodies(template: Template, engineOutput: EngineOutput, options: BodiesOptions): Bodies {
  const names = new ConditionNames(engineOutput.conditions);
  const output = nameOutputConditions(engineOutput, names);
  const { tags, locate } = output;
  const subject = nameConditions(readSubject(template, output, options.findings), names);
  if (template.metadata.verbatim) return { output, names, subject, html: { text: output.html, tags } };
  const tidied = compactHtml(quoteValues(withLanguage(output.html, template), tags));
  const html = { text: resolveAssets(tidied, { template, tags, locate, ...options }), tags };
  return { output, names, subject, html };
}

/** The subject from template.json, or else from the body; empty if there is none. On one line, unless it is verbatim. */
function readSubject(template: Template, output: EngineOutput, findings: Findings): Tokenised {
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

/** Whether a value with a tag may lack double quotes: most bodies have none, and needn't be scanned. */
const CANDIDATE = /=\s*(?:'[^']*|[^\s"'>]*)\uE000/;

/**
 * Puts double quotes around every attribute value with a tag: all Mustache engines escape `"`, but not all escape `'`,
 * and none escapes a space, which would end an unquoted value.
 *
 * @example
 * quoteValues("<a href='{{url}}' title={{name}}>", tags); // '<a href="{{url}}" title="{{name}}">'
 */
function quoteValues(html: string, tags: TagTable): string {
  if (!CANDIDATE.test(html)) return html;
  let quoted = "";
  let from = 0;
  const replace = (start: number, end: number, by: string) => {
    quoted += html.slice(from, start) + by;
    from = end;
  };
  for (const piece of scanMarkup(html).pieces) {
    if (piece.kind === "comment") {
      const [, start, inner = "", end] = CONDITIONAL_BLOCK.exec(html.slice(piece.start, piece.end)) ?? [];
      if (inner !== "") replace(piece.start, piece.end, `${start}${quoteValues(inner, tags)}${end}`);
    }
    if (piece.kind !== "open") continue;
    for (const attribute of piece.attributes) {
      const quote = html.charAt(attribute.valueStart - 1);
      if (quote === '"' || attribute.value.search(TOKEN) < 0) continue;
      const isQuoted = quote === "'";
      const value = isQuoted ? attribute.value : wholeValue(attribute, tags);
      if (value.search(TOKEN) < 0) continue;
      const start = attribute.valueStart - Number(isQuoted);
      const end = attribute.valueStart + value.length + Number(isQuoted);
      replace(start, end, `"${value.replaceAll('"', "&quot;")}"`);
    }
  }
  return quoted + html.slice(from);
}

/** An unquoted value, up to the first tag of a section that isn't entirely in it: `{{#wide}}colspan={{n}}{{/wide}}`. */
function wholeValue({ value }: Attribute, tags: TagTable): string {
  const open: number[] = [];
  for (const { 1: number, index } of value.matchAll(TOKEN)) {
    const role = roleOf(tags[Number(number)]);
    if (role === "opens") open.push(index);
    else if (role === "closes" && open.pop() === undefined) return value.slice(0, index);
  }
  return value.slice(0, open[0]);
}

/** The defaults of React Email's `<Html>`. */
const REACT_DEFAULTS: Readonly<Record<string, string>> = { lang: "en", dir: "ltr" };

/** Adds the language attributes of template.json to the HTML, where the body doesn't set them itself. */
export function withLanguage(html: string, { metadata, engine }: Pick<Template, "metadata" | "engine">): string {
  const missing = new Map<string, string>(Object.entries(languageOf(metadata)));
  const pieces = missing.size > 0 ? scanMarkup(html).pieces : [];
  const element = pieces.find((piece): piece is OpenTag => piece.kind === "open" && piece.name === "html");
  if (!element) return html;
  let written = "";
  let from = element.start + "<html".length;
  const start = html.slice(0, from);
  for (const { name, value, start: at, valueStart } of element.attributes) {
    const expected = missing.get(name.toLowerCase());
    if (expected === undefined) continue;
    missing.delete(name.toLowerCase());
    if (engine !== "react" || value !== REACT_DEFAULTS[name]) continue;
    written += html.slice(from, at) + html.slice(at, valueStart) + expected;
    from = valueStart + value.length;
  }
  const added = [...missing].map(([name, expected]) => ` ${name}="${expected}"`).join("");
  return start + added + written + html.slice(from);
}

const KEEPS_WHITESPACE: readonly string[] = ["pre", "textarea", "script"];

// Not `\s`: a no-break space is content.
const AROUND_NEWLINE = /[ \t]*[\n\r\f][ \t\n\r\f]*/g;
const SPACE = /[ \t\n\r\f]+/g;

/** Whether a tag may contain anything to tidy. */
const UNTIDY = /[\t\n\r\f]| {2}| >$/;

/** CSS that makes line breaks visible; it may apply to any element, so then all text stays unchanged. */
const SHOWS_WHITESPACE = /white-space(?:-collapse)?\s*:\s*(?:pre|break|preserve)/i;

/**
 * Removes comments and indentation. Nothing is decoded, no quotes or tags are dropped, and conditional comments stay:
 * email clients show the same.
 */
export function compactHtml(html: string): string {
  const keepsText = SHOWS_WHITESPACE.test(html);
  const kept: string[] = [];
  let preformatted = 0;
  let endsLine = true;
  const keep = (text: string) => {
    const next = endsLine && preformatted === 0 && !keepsText && text.startsWith("\n") ? text.slice(1) : text;
    if (next === "") return;
    kept.push(next);
    endsLine = next.endsWith("\n");
  };
  for (const piece of scanMarkup(html).pieces) {
    const text = html.slice(piece.start, piece.end);
    const changesDepth = "name" in piece && KEEPS_WHITESPACE.includes(piece.name) && !isEmpty(piece);
    if (piece.kind === "close" && changesDepth) preformatted -= 1;
    if (piece.kind === "open") keep(tidyTag(piece, html));
    else if (piece.kind !== "comment") keep(preformatted > 0 || keepsText ? text : text.replace(AROUND_NEWLINE, "\n"));
    else if (isConditionalComment(text)) keep(text.replace(AROUND_NEWLINE, "\n"));
    if (piece.kind === "open" && changesDepth) preformatted += 1;
  }
  return kept.join("").trim();
}

/** The numbers of the tags that `compactHtml` keeps: those outside comments. */
export function tagsOutsideComments(html: string): number[] {
  return scanMarkup(html).pieces.flatMap((piece) => {
    const text = html.slice(piece.start, piece.end);
    if (piece.kind === "comment" && !isConditionalComment(text)) return [];
    return tagsIn(text);
  });
}

function tidyTag(tag: OpenTag, html: string): string {
  const written = html.slice(tag.start, tag.end);
  if (!UNTIDY.test(written)) return written;
  let tidied = "";
  let from = tag.start;
  for (const { value, valueStart } of tag.attributes) {
    tidied += html.slice(from, valueStart).replace(SPACE, " ") + value;
    from = valueStart + value.length;
  }
  return tidied + html.slice(from, tag.end).replace(SPACE, " ").replace(/ >$/, ">");
}

function isEmpty(piece: MarkupPiece): boolean {
  return piece.kind === "open" && piece.selfClosing;
}

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
