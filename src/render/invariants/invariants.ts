import type { Diagnostic, SourcePosition } from "../../diagnostic.js";
import type { FilledFixture, SourceFile, Template, TemplateFields } from "../../project/template.js";
import { bodiesOf, type Compilation } from "../bodies.js";
import type { CompileContext } from "../engine.js";
import { Findings } from "../findings.js";
import { checkTagsKept, checkTextTags } from "./tags-kept.js";
import { checkVariables, missingOwnName } from "../../mustache/check-variables.js";
import type { Misuse } from "../../mustache/scope.js";
import { positionNear, restore, tagAt, token, TOKEN, type Tokenised } from "../../mustache/tokens.js";
import { FIELD_LIMITS } from "../../api/limits.js";
import { jsonPosition } from "../../project/source-file.js";
import { type MarkupProblem, scanMarkup, VOID_ELEMENTS } from "../../text/markup/scan.js";
import { positionAt } from "../../text/position.js";
import { findImbalance } from "./balance.js";
import { parse } from "../../mustache/parse.js";

export interface InvariantInput {
  readonly compilation: Compilation;
  readonly fields: TemplateFields;
  readonly fixtures: readonly FilledFixture[];
  readonly context: CompileContext;
}

/** All invariants of a compiled template, except reproducibility, which `check` verifies. */
export async function checkInvariants({
  compilation,
  fields,
  fixtures,
  context,
}: InvariantInput): Promise<Diagnostic[]> {
  const { template, output, html, contract } = compilation;
  // Without a schema or an example, the variables' types are guessed from the tags, so tags can't contradict them.
  const typeIsKnown = template.variablesFile !== undefined || fixtures.length > 0;
  const findings = new Findings();
  checkTagsKept(compilation, findings);
  checkTextTags(compilation, findings);
  checkResidue(compilation, findings);
  checkBalanced(compilation, findings);
  if (typeIsKnown && !findings.has("output-residue")) checkKnownVariables(compilation, findings);
  checkLengths(compilation, fields, findings);
  if (template.engine !== "react" || findings.hasErrors) return findings.diagnostics;
  const { checkOracle } = await import("../react/oracle/oracle.js");
  const { moments = [] } = output;
  return checkOracle({ template, html, fixtures, contract, context, moments });
}

/** The same limit as for sections. Browsers allow 512, but every tree walk needs memory for each level. */
const DEEPEST = 200;

/** Elements whose closing tags may be omitted, so that opening tags don't show their depth. */
const ENDS_BY_ITSELF: ReadonlySet<string> = new Set(
  "p li dt dd tr td th thead tbody tfoot colgroup option optgroup html head body".split(" "),
);

/** Invariant: elements are not nested deeper than email clients and the derivation of the text body can handle. */
export function checkNesting(html: Tokenised, { body: { file } }: Template, findings: Findings): void {
  let depth = 0;
  for (const piece of scanMarkup(html.text).pieces) {
    if (piece.kind !== "open" && piece.kind !== "close") continue;
    if (VOID_ELEMENTS.has(piece.name) || ENDS_BY_ITSELF.has(piece.name)) continue;
    if (piece.kind === "close") depth = Math.max(0, depth - 1);
    else if (!piece.selfClosing) depth += 1;
    if (depth <= DEEPEST) continue;
    const message = `Elements are nested more than ${DEEPEST} deep; the innermost is <${piece.name}>.`;
    const hint = "Is a closing tag missing, or written as an opening one?";
    return findings.error("markup-unbalanced", message, positionNear(html, piece.start) ?? { file }, hint);
  }
}

/** Invariant 5: the tags' variables are in the schema. Fixtures are checked together with the schema. */
function checkKnownVariables(compilation: Compilation, findings: Findings): void {
  const { contract, template, output } = compilation;
  const bodies = bodiesOf(compilation);
  const texts = bodies.map(({ content, as }) => restore(content.text, content.tags, as));
  // The HTML and the text derived from it have the same tags.
  const misuses = new Map<string, { readonly misuse: Misuse; readonly at: SourcePosition }>();
  const note = (name: string, misuse: Misuse, at: SourcePosition) =>
    misuses.set(`${name} ${JSON.stringify(at)}`, { misuse, at });
  for (const own of output.ownNames ?? []) {
    const misuse = missingOwnName(own, contract);
    if (misuse) note(own.name, misuse, own.at);
  }
  for (const finding of checkVariables(texts, contract)) {
    const body = bodies[finding.textIndex];
    const tag = body && body.content.tags[tagAt(body.content, body.as, finding.offset) ?? -1];
    note(finding.name, finding, tag?.at ?? { file: template.body.file });
  }
  for (const { misuse, at } of misuses.values()) {
    const { message, nearName } = misuse;
    findings.error("unknown-variable", message, at, nearName === undefined ? undefined : `Did you mean "${nearName}"?`);
  }
}

/**
 * Invariant 7: the fields are no longer than the service allows (version 4, part 4). Counted in UTF-16 units, of which
 * there are never fewer than code points.
 */
function checkLengths(compilation: Compilation, fields: TemplateFields, findings: Findings): void {
  for (const [field, limit] of FIELD_LIMITS) {
    const { length } = fields[field];
    if (length <= limit) continue;
    const message = `${field} is ${formatted(length)} characters; the limit is ${formatted(limit)}.`;
    const hint = fields[field].includes("{{#") && field === "subject" ? SUBJECT_HINT : undefined;
    findings.error("too-long", message, placeOf(field, compilation), hint);
  }
}

const SUBJECT_HINT =
  "Every branch of its sections counts, including the tags. Choose in derive (variables.ts), and print the result.";

function placeOf(field: keyof TemplateFields, { template, subject }: Compilation): SourcePosition {
  const { body, metadata, metadataSource } = template;
  if (metadataSource && (field === "subject" || field === "description") && metadata[field] !== undefined) {
    return jsonPosition(metadataSource, [field]);
  }
  const tag = field === "subject" ? positionNear(subject, subject.text.length) : undefined;
  return tag ?? { file: body.file };
}

function formatted(count: number): string {
  return count.toLocaleString("en-US");
}

/** Invariant 4: the HTML is balanced in every view, however often its sections are shown. */
function checkBalanced({ html, whole, derived, template, contract }: Compilation, findings: Findings): void {
  const problem = findImbalance(html.text, html.tags, contract) ?? problemOfHiding(whole, derived?.hiding);
  if (!problem) return;
  const { offset, hint } = problem;
  const [, section] = new RegExp(`^${TOKEN.source}`).exec(html.text.slice(offset)) ?? [];
  const message = problem.message + (html.tags[Number(section)]?.note ?? "");
  const at = positionOfTag(html.text, offset, template.body) ??
    positionNear(html, offset) ?? { file: template.body.file };
  findings.error("markup-unbalanced", message, at, hint);
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

const ACCIDENT = /\bNaN(?:px|%)?\b|\bundefined\b|\[object Object\]/;

/** "undefined" printed by JavaScript for a missing variable, in a section for exactly that case. */
const ASKED = /\uE000(\d+)\uE001[^\uE000"]*?\bundefined\b/g;

/** Text that looks like the beginning of a tag: two braces, or one directly before a tag. */
const BRACES = /\{[{\uE000]/;

/** Invariant 3: the bodies are valid Mustache, and contain nothing that only a mistake in compiling leaves there. */
export function checkResidue(compilation: Compilation, findings: Findings): void {
  const { html, template } = compilation;
  const report = (message: string, at: SourcePosition = { file: template.body.file }, hint?: string) =>
    findings.error("output-residue", message, at, hint);

  for (const { field, content, as } of bodiesOf(compilation)) {
    const restored = restore(content.text, content.tags, as);
    const brace = BRACES.exec(content.text);
    if (brace) {
      const message = `The compiled ${field} contains the text "${shown(brace[0])}", which Mustache would read as a tag.`;
      const at =
        positionOfBraces(template.body) ??
        positionNear(content, brace.index + brace[0].length) ??
        positionOfText(content, brace.index, template.body);
      report(message, at, "Put something between the braces.");
      continue;
    }
    for (const { message, offset, hint } of parse(restored).problems) {
      const tag = tagAt(content, as, offset);
      report(`In the compiled ${field}: ${message}`, content.tags[tag ?? -1]?.at, hint);
    }
    if (/[\uE000\uE001]/.test(restored)) report(`A tag of ${field} could not be restored.`);
  }
  const accident = accidentIn(html);
  if (accident && !template.body.text.includes(accident.text)) {
    const at = positionNear(html, accident.offset) ?? positionOfValue(html.text, accident.offset, template.body);
    report(`The compiled HTML contains "${accident.text}" in ${accident.tag}.`, at);
  }
}

/** The position of two braces in the source, one of them an entity, or separated only by HTML tags. */
function positionOfBraces({ file, text }: SourceFile): SourcePosition | undefined {
  const offset = text.search(PARTED_BRACES);
  return offset < 0 ? undefined : { file, ...positionAt(text, offset) };
}

const ENTITY = "&(?:#0*123|#x0*7b|lbrace|lcub);";
const PARTED_BRACES = new RegExp(
  String.raw`${ENTITY}(?:<[^<>]*>)*(?:\{|${ENTITY})|\{(?:<[^<>]*>)*${ENTITY}|\{(?:<[^<>]*>)+\{`,
  "i",
);

/** The source position of a text in the output, up to its first tag. */
function positionOfText({ text }: Tokenised, from: number, source: SourceFile): SourcePosition | undefined {
  const [written = ""] = /^\{+[^<&\uE000]*/.exec(text.slice(from)) ?? [];
  const offset = source.text.indexOf(written);
  return offset < 0 ? undefined : { file: source.file, ...positionAt(source.text, offset) };
}

/** The source position of a unique attribute value that the element at an offset has, too. */
function positionOfValue(html: string, from: number, { file, text }: SourceFile): SourcePosition | undefined {
  const tag = scanMarkup(html).pieces.find((piece) => piece.start === from);
  for (const { value } of tag?.kind === "open" ? tag.attributes : []) {
    const offset = value.length > 3 ? text.indexOf(`"${value}"`) : -1;
    if (offset >= 0 && text.indexOf(`"${value}"`, offset + 1) < 0) return { file, ...positionAt(text, offset) };
  }
  return undefined;
}

function shown(brace: string): string {
  return brace.replace("\uE000", "{{…}}");
}

/** Only in tags: in text, the author may have written it. */
function accidentIn({ text, tags }: Tokenised): { text: string; tag: string; offset: number } | undefined {
  if (!ACCIDENT.test(text)) return undefined;
  for (const piece of scanMarkup(text).pieces) {
    if (piece.kind !== "open" && piece.kind !== "comment") continue;
    const written = text
      .slice(piece.start, piece.end)
      .replace(ASKED, (all, number: string) => (tags[Number(number)]?.text.startsWith("{{^") ? "" : all));
    const word = ACCIDENT.exec(written)?.[0];
    const tag = piece.kind === "open" ? `<${piece.name}>` : "a conditional comment";
    if (word !== undefined) return { text: word, tag, offset: piece.start };
  }
  return undefined;
}
