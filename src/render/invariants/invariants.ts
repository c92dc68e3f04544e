import type { Diagnostic, SourcePosition } from "../../diagnostic.js";
import type { FilledFixture, SourceFile, Template, TemplateFields } from "../../project/template.js";
import { bodiesOf, type Compilation } from "../bodies.js";
import type { CompileContext } from "../engine.js";
import { Findings } from "../findings.js";
import { checkVariables, missingOwnName } from "../../mustache/check-variables.js";
import { mayBeHidden, type Misuse } from "../../mustache/scope.js";
import {
  enclosingSections,
  positionNear,
  restore,
  roleOf,
  scopeNames,
  tagAt,
  tagName,
  tagsIn,
  type TagTable,
  token,
  TOKEN,
  type TokenAt,
  type Tokenised,
  tokensIn,
} from "../../mustache/tokens.js";
import type { Condition } from "../../mustache/variables.js";
import { isSelection } from "../../mustache/complete.js";
import { stemOf } from "../../project/template-name.js";
import { FIELD_LIMITS } from "../../api/limits.js";
import { jsonPosition } from "../../project/source-file.js";
import { type MarkupProblem, scanMarkup, textsIn, VOID_ELEMENTS } from "../../text/markup/scan.js";
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

/** Invariant 1: every tag of the source is in the HTML, in the sections that it was written in. */
export function checkTagsKept({ html, output, contract, template }: Compilation, findings: Findings): void {
  const { title = "", expected } = output;
  const { tags } = html;
  const expectedTags = expected ?? [...tags.keys()];
  const written = new Map(enclosingSections(expected ?? [], tags).map(({ tag, around }) => [tag, around]));
  const kept = new Set([...tokensIn(html.text), ...tokensIn(title)].map(({ tag }) => tag));

  const booleans = new Set(contract.conditions.filter(isBoolean).map(({ name }) => name));
  const report = (rule: string, number: number, message: string, hint?: string) => {
    const { at = { file: template.body.file }, note = "" } = tags[number] ?? {};
    findings.error(rule, message + note, at, hint);
  };

  const lost = expectedTags.filter((tag) => !kept.has(tag));
  const lostWithSections = lost.filter((tag) => roleOf(tags[tag]) !== "closes");
  for (const tag of lostWithSections.length > 0 ? lostWithSections : lost) {
    const message = `${tags[tag]?.text} is not in the compiled HTML: the markup that contained it was dropped.`;
    report("tag-lost", tag, message);
  }
  // If sections are lost, the tags in them have moved as well: don't report them again.
  if (lost.length > 0) return;
  for (const { tag, around } of enclosingSections(tagsIn(html.text), tags)) {
    const before = written.get(tag);
    if (!before || String(before) === String(around)) continue;
    const narrower = narrowerScope(before, around, tags)?.filter(({ section }) => !booleans.has(section));
    if (narrower && !mayBeHidden(contract, narrower, tagName(tags[tag]))) continue;
    const sections = around.map((section) => tags[section]?.text).join(" ") || "no section";
    const message = `Compiling moved ${tags[tag]?.text} to other sections than it was written in: ${sections}.`;
    report("tag-moved", tag, message, "Write the tag where it should be printed.");
  }
}

/** The sections in scope, with whether each was added; undefined if one of the original sections is missing. */
function narrowerScope(before: readonly number[], around: readonly number[], tags: TagTable) {
  let kept = 0;
  const scope = around.flatMap((opening) => {
    const isAdded = opening !== before[kept];
    if (!isAdded) kept += 1;
    return scopeNames([opening], tags).map((section) => ({ section, isAdded }));
  });
  return kept === before.length ? scope : undefined;
}

/** Whether a section over it does not open a scope. */
function isBoolean({ test }: Condition): boolean {
  return !isSelection(test);
}

/** Invariant 2: tags shown in the HTML are in the derived text, in the same sections. */
export function checkTextTags({ whole, text, derived, template }: Compilation, findings: Findings): void {
  // The author of a hand-written text decides what it contains.
  if (!derived) return;
  const { tags } = whole;
  const shown = shownTokens(whole.text).filter(({ tag }) => !derived.skipped.has(tag));
  const visible = new Set(shown.map(({ tag }) => tag));
  const written = placesByTag(shown, tags);
  const kept = placesByTag(
    tokensIn(text.text).filter(({ tag }) => visible.has(tag)),
    tags,
  );
  for (const tag of visible) {
    if (hasAll(kept.get(tag) ?? [], written.get(tag) ?? [])) continue;
    const { text: shownTag, at = { file: template.body.file }, note = "" } = tags[tag] ?? {};
    const message = `${shownTag} is in the HTML, but not in the same place in the text body.${note}`;
    findings.error("text-tag-lost", message, at, `Write the text body by hand, as ${stemOf(template.name)}.txt.`);
  }
}

/** For each tag, the sections around each of its occurrences. */
function placesByTag(tokens: readonly TokenAt[], tags: Compilation["whole"]["tags"]): Map<number, string[]> {
  const places = new Map<number, string[]>();
  const sections = enclosingSections(
    tokens.map(({ tag }) => tag),
    tags,
  );
  for (const { tag, around } of sections) {
    const others = places.get(tag);
    if (others) others.push(String(around));
    else places.set(tag, [String(around)]);
  }
  return places;
}

/** Whether each occurrence has a match; a link's URL, which HTML does not show, may occur more often. */
function hasAll(places: readonly string[], required: readonly string[]): boolean {
  const left = [...places];
  return required.every((place) => {
    const index = left.indexOf(place);
    if (index >= 0) left.splice(index, 1);
    return index >= 0;
  });
}

/** The tokens in the text that an email client shows. */
function shownTokens(html: string): TokenAt[] {
  const body = scanMarkup(html).pieces.find((piece) => piece.kind === "open" && piece.name === "body");
  const shown = textsIn(html).filter(({ start }) => start >= (body?.start ?? 0));
  return shown.flatMap(({ start, end }) => tokensIn(html.slice(start, end)));
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
      const message = `The compiled ${field} contains the text "${brace[0].replace("\uE000", "{{…}}")}", which Mustache would read as a tag.`;
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
