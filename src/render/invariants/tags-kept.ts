import { isSelection } from "../../mustache/complete.js";
import { mayBeHidden } from "../../mustache/scope.js";
import {
  enclosingSections,
  tagName,
  roleOf,
  scopeNames,
  tagsIn,
  type TagTable,
  type TokenAt,
  tokensIn,
} from "../../mustache/tokens.js";
import type { Condition } from "../../mustache/variables.js";
import type { Compilation } from "../bodies.js";
import type { Findings } from "../findings.js";
import { scanMarkup, textsIn } from "../../text/markup/scan.js";
import { stemOf } from "../../project/template-name.js";

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
