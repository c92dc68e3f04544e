import {
  enclosingSections,
  tagName,
  roleOf,
  scopeNames,
  tagsIn,
  type TagTable,
  TOKEN,
  type Tokenised,
  tokensIn,
} from "../../mustache/tokens.js";
import { mayBeEmpty, Scope } from "../../mustache/scope.js";
import type { Shape } from "../../mustache/shape.js";
import type { VariablesContract } from "../../mustache/variables.js";
import { elementsOf, type MjmlElement, positionOf } from "./document.js";
import type { Findings } from "../findings.js";
import { chainNote } from "../source/mapped-text.js";
import type { VariablesModule } from "../../project/variables-module.js";

/*
 * For Outlook, MJML repeats the classes of an element with a suffix: `css-class="a b"` becomes "a-outlook b-outlook".
 */
const SUFFIXES = ["outlook", "thumbnail"];

/** The values of css-class with a tag that MJML has printed with a suffix. */
export function suffixedClasses(html: string, document: MjmlElement): ReadonlySet<string> {
  const values = elementsOf(document).flatMap(({ attributes }) =>
    attributes.flatMap(({ name, value }) => (name === "css-class" && value.search(TOKEN) >= 0 ? [value] : [])),
  );
  return new Set(values.filter((value) => SUFFIXES.some((suffix) => html.includes(asMjml(value, suffix)))));
}

/** Moves the suffixes into the sections of their class names, so that no suffix is left if a section is not shown. */
export function moveSuffixes(html: string, classes: ReadonlySet<string>, tags: TagTable): string {
  let moved = html;
  for (const value of classes) {
    if (tokensIn(value).every(({ tag }) => roleOf(tags[tag]) === "prints")) continue;
    for (const suffix of SUFFIXES) {
      const words = value.split(" ").map((word) => suffixed(word, `-${suffix}`, tags));
      moved = moved.replaceAll(`class="${asMjml(value, suffix)}"`, `class="${words.join(" ")}"`);
    }
  }
  return moved;
}

function asMjml(value: string, suffix: string): string {
  return value
    .split(" ")
    .map((word) => `${word}-${suffix}`)
    .join(" ");
}

/** Puts the suffix of a class name before the ends of the sections that contain the whole name. */
function suffixed(word: string, suffix: string, tags: TagTable): string {
  const firstCharacter = /^(?:\uE000\d+\uE001)*/.exec(word)?.[0].length ?? 0;
  const open: number[] = [];
  /** The ends of sections at the end of the name. */
  let ends: { readonly offset: number; readonly containsWord: boolean }[] = [];
  let past = 0;
  for (const { 0: written, 1: number, index } of word.matchAll(TOKEN)) {
    const role = roleOf(tags[Number(number)]);
    if (index > past || role !== "closes") ends = [];
    past = index + written.length;
    if (role === "opens") open.push(index);
    if (role === "closes") ends.push({ offset: index, containsWord: (open.pop() ?? -1) < firstCharacter });
  }
  if (past < word.length) return word + suffix;
  const outer = ends.slice(ends.findLastIndex(({ containsWord }) => !containsWord) + 1);
  const at = outer[0]?.offset ?? word.length;
  return at < firstCharacter ? word + suffix : word.slice(0, at) + suffix + word.slice(at);
}

/** Warns of variables in suffixed classes whose values may contain more than one class name, or none. */
export function checkSuffixes(
  classes: ReadonlySet<string>,
  { text, tags }: Tokenised,
  contract: VariablesContract,
  findings: Findings,
): void {
  const numbers = [...classes].flatMap((value) => tagsIn(value));
  const printing = numbers.filter((number) => roleOf(tags[number]) === "prints");
  if (printing.length === 0) return;
  const places = enclosingSections(tagsIn(text), tags);
  const variables = Scope.of(contract, { unknownHides: false });
  for (const number of printing) {
    const tag = tags[number];
    const around = places.find((place) => place.tag === number)?.around ?? [];
    if (!tag?.at || isOneWord(variables.inside(scopeNames(around, tags)).find(tagName(tag))?.shape)) continue;
    const message = `For Outlook, MJML appends "-outlook" to each class in css-class, and treats ${tag.text} as one class. If it contains several, Outlook gets the wrong classes.${tag.note ?? ""}`;
    const hint =
      "Allow only single class names in variables.ts, as with z.enum, or write the classes in sections: {{#a}}one two{{/a}}.";
    findings.warning("mjml-attribute-tag", message, tag.at, hint);
  }
}

function isOneWord(shape: Shape | undefined): boolean {
  if (!shape?.isKnown) return false;
  return shape.kinds.every(({ type, enum: values, const: value }) => {
    const words = values ?? (value === undefined ? undefined : [value]);
    return words ? words.every((word) => /^\S+$/.test(String(word))) : ![type].flat().includes("string");
  });
}

/** What is known about a template's variables before its tags are considered. */
export function knownContract(module: VariablesModule | undefined): VariablesContract {
  const { schema = {}, output = schema, hasDerive = false, fixtures = [] } = module ?? {};
  const derived = fixtures.flatMap((fixture) => Object.keys(fixture.derived ?? {}));
  return {
    input: hasDerive && fixtures.length === 0 ? {} : output,
    derived: { properties: Object.fromEntries(derived.map((name) => [name, {}])) },
    conditions: [],
  };
}

/** Whether a tag, given by its number, may print nothing. Inside a section over the same variable, it can't. */
export function emptiableTags({ text, tags }: Tokenised, contract: VariablesContract): (tag: number) => boolean {
  const places = enclosingSections(tagsIn(text), tags);
  return (tag) => {
    const name = tagName(tags[tag]);
    return places.some(({ tag: other, around }) => {
      const sections = other === tag ? scopeNames(around, tags) : [name];
      return !sections.includes(name) && mayBeEmpty(contract, sections, name);
    });
  };
}

/** Warns of variables that may be empty where MJML would then build the element differently, and the compiled one can't. */
export function checkUnplaced(
  unplaced: ReadonlySet<number>,
  document: MjmlElement,
  { text, tags }: Tokenised,
  contract: VariablesContract,
  findings: Findings,
): void {
  if (unplaced.size === 0) return;
  const mayPrintNothing = emptiableTags({ text, tags }, contract);
  for (const element of elementsOf(document)) {
    for (const { name, value, start } of element.attributes) {
      const tag = tokensIn(value).find((token) => unplaced.has(token.tag))?.tag;
      if (tag === undefined || !mayPrintNothing(tag)) continue;
      const variable = tagName(tags[tag]);
      const message = `MJML builds <${element.tagName}> differently without ${name}, but this one stays the same if ${tags[tag]?.text} is empty${chainNote(element.source.chain)}.`;
      const hint = `Write the element twice, in {{#${variable} is-truthy}} … {{/${variable}}}, and without ${name} in {{^${variable} is-truthy}} … {{/${variable}}}. Or give the variable a format in the schema, such as z.url().`;
      findings.warning("mjml-attribute-tag", message, positionOf(element, start), hint);
    }
  }
}
