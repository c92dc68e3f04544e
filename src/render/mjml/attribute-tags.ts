import type { Attribute } from "../../text/markup/scan.js";
import { roleOf, tagsIn, type TagTable, TOKEN, tokensIn } from "../../mustache/tokens.js";
import type { Findings } from "../findings.js";
import { chainNote } from "../source/mapped-text.js";
import { attributeValue, elementsOf, type MjmlElement, positionOf, toJson } from "./document.js";
import { type Filling, fillTokens } from "./sections.js";
import type { MjmlLibrary } from "./library.js";

export interface AttributeTagOptions {
  readonly library: MjmlLibrary;
  /** Renders a tree to HTML, as in compiling. */
  readonly render: MjmlLibrary["render"];
  readonly tags: TagTable;
  readonly findings: Findings;
}

interface AttributeUse {
  readonly element: MjmlElement;
  readonly attribute: Attribute;
  /** Whether one of its tags is not printed. */
  readonly isLost: boolean;
}

/** An attribute whose value MJML needs, and a filling that proves it. */
interface NeededValue {
  readonly use: AttributeUse;
  readonly filling: Filling;
}

/**
 * Finds the attributes whose value MJML computes with or decides by, rather than printing it: with a tag in one of them,
 * the HTML differs from what MJML would make of the filled value.
 *
 * @returns The numbers of the tags that need not be printed, because MJML would not print a value there either.
 */
export async function checkAttributeTags(
  document: MjmlElement,
  html: string,
  options: AttributeTagOptions,
): Promise<ReadonlySet<number>> {
  const { tags, findings } = options;
  const printed = new Set(tagsIn(html));
  const unused = unusedDefaultTags(document);
  const uses = attributeUses(document, (tag) => !printed.has(tag) && !unused.has(tag));
  const needed = await neededValues(uses, document, html, options);
  for (const each of needed) reportNeeded(each, options);
  const withoutEffect = uses.filter((use) => use.isLost && !needed.some((each) => each.use === use));
  const defaults = elementsOf(document)
    .filter(({ tagName }) => tagName === "mj-attributes")
    .flatMap((each) => elementsOf(each));
  for (const { element, attribute } of withoutEffect) {
    // A default applies to many elements, some of which don't use it.
    if (defaults.includes(element)) continue;
    const message = `MJML does not use ${attribute.name} of <${element.tagName}> here, so ${writtenIn(attribute, tags)} is not printed${chainNote(element.source.chain)}.`;
    findings.warning("mjml-attribute-tag", message, positionOf(element, attribute.start), `Remove ${attribute.name}.`);
  }
  return new Set([...unused, ...withoutEffect.flatMap(({ attribute }) => tagsIn(attribute.value))]);
}

/**
 * Reports the attributes whose tags make MJML fail, if it succeeds with values.
 *
 * @returns Whether there are any.
 */
export async function checkFailure(document: MjmlElement, options: AttributeTagOptions): Promise<boolean> {
  const { library, render, tags } = options;
  const samples = attributeUses(document, () => true).flatMap((use) => {
    const [filling] = samplesOf(use.element, use.attribute.name, library).map((variable) => ({
      variable,
      isShown: true,
    }));
    return filling ? [{ use, filling }] : [];
  });
  const fails = async (samplesGiven: readonly NeededValue[]) => {
    const numbers = fillingsByTag(samplesGiven);
    const tree = toJson(document, ({ value }) => fillTokens(value, numbers, tags));
    return render(tree).then(
      () => false,
      () => true,
    );
  };
  if (samples.length === 0 || (await fails(samples))) return false;
  const causes = await filterAsync(samples, (sample) => fails(samples.filter((each) => each !== sample)));
  for (const each of causes.length > 0 ? causes : samples) reportNeeded(each, options);
  return true;
}

function reportNeeded({ use, filling }: NeededValue, { tags, findings }: AttributeTagOptions): void {
  const { element, attribute } = use;
  const message = `MJML needs the value of ${attribute.name} of <${element.tagName}> when the template is compiled, so it can't be ${writtenIn(attribute, tags)}${chainNote(element.source.chain)}.`;
  findings.error("mjml-attribute-tag", message, positionOf(element, attribute.start), hintFor(use, filling));
}

function fillingsByTag(samples: readonly NeededValue[]): ReadonlyMap<number, Filling> {
  return new Map(
    samples.flatMap(({ use, filling }) => tokensIn(use.attribute.value).map(({ tag }) => [tag, filling] as const)),
  );
}

function writtenIn({ value }: Attribute, tags: TagTable): string {
  return tags[tokensIn(value)[0]?.tag ?? -1]?.text ?? "";
}

function hintFor({ element: { tagName } }: AttributeUse, { isShown }: Filling): string {
  return isShown
    ? "Write a fixed value, or use css-class and vary <mj-style> or the HTML around the element."
    : `The section decides whether there is a value. Put it around the whole <${tagName}>, or provide a value for the other case, too: {{#a}}…{{/a}}{{^a}}…{{/a}}.`;
}

/** Renders with values instead of the tags, at first in all attributes at once. */
async function neededValues(
  uses: readonly AttributeUse[],
  document: MjmlElement,
  html: string,
  { library, render, tags }: AttributeTagOptions,
): Promise<NeededValue[]> {
  const [decisive, others] = [uses.filter(isDecisive), uses.filter((use) => !isDecisive(use))];
  const sampled = others
    .map((use) => ({ use, fillings: fillingsOf(use, library, tags) }))
    .filter(({ fillings }) => fillings.length > 0);
  const isPrinted = async (samples: readonly NeededValue[]) => {
    const fillings = new Map(samples.map(({ use, filling }) => [use.attribute, filling]));
    const numbers = fillingsByTag(samples);
    const withValues = toJson(document, (attribute) =>
      fillings.has(attribute) ? fillTokens(attribute.value, numbers, tags) : attribute.value,
    );
    try {
      return comparable(await render(withValues)) === comparable(fillTokens(html, numbers, tags));
    } catch {
      // MJML fails with the value, but not without it.
      return false;
    }
  };
  const needed = new Map<AttributeUse, Filling>(decisive.map((use) => [use, { variable: "", isShown: true }]));
  const rounds = Math.max(0, ...sampled.map(({ fillings }) => fillings.length));
  for (let round = 0; round < rounds; round += 1) {
    const samples = sampled.flatMap(({ use, fillings }) => {
      const filling = fillings[round % fillings.length];
      return filling && !needed.has(use) ? [{ use, filling }] : [];
    });
    if (samples.length === 0 || (await isPrinted(samples))) continue;
    const alone = await filterAsync(samples, async (sample) => !(await isPrinted([sample])));
    // An invalid number hides the effect of other values.
    const together = async (sample: NeededValue) => isPrinted(samples.filter((each) => each !== sample));
    const causes = alone.length > 0 ? alone : await filterAsync(samples, together);
    for (const { use, filling } of causes.length > 0 ? causes : samples) needed.set(use, filling);
  }
  return uses.flatMap((use) => {
    const filling = needed.get(use);
    return filling ? [{ use, filling }] : [];
  });
}

async function filterAsync<Item>(items: readonly Item[], test: (item: Item) => Promise<boolean>): Promise<Item[]> {
  const kept: Item[] = [];
  for (const item of items) if (await test(item)) kept.push(item);
  return kept;
}

/** Names and choices in the head affect other elements, which no sample shows. */
function isDecisive({ element: { tagName }, attribute, isLost }: AttributeUse): boolean {
  return isLost && (IN_HEAD.includes(tagName) || (tagName === "mj-class" && attribute.name === "name"));
}

const IN_HEAD: readonly string[] = ["mj-font", "mj-style", "mj-breakpoint", "mj-selector", "mj-html-attribute"];

function fillingsOf({ element, attribute, isLost }: AttributeUse, library: MjmlLibrary, tags: TagTable): Filling[] {
  const samples = samplesOf(element, attribute.name, library);
  const opens = tokensIn(attribute.value).some(({ tag }) => roleOf(tags[tag]) === "opens");
  const known = samples.length === 0 && (opens || isLost) ? ["a"] : samples;
  // Without its variable, the rest of the value may be a valid value.
  const isPart = attribute.value.replace(TOKEN, "").trim() !== "";
  const variables = known.length > 0 && isPart ? [...known, ""] : known;
  const shown = variables.map((variable) => ({ variable, isShown: true }));
  return opens ? [...shown, ...shown.slice(0, 1).map((each) => ({ ...each, isShown: false }))] : shown;
}

/** Ignores insignificant differences: loaded fonts, empty colours and classes, short colours, and whitespace. */
function comparable(html: string): string {
  return (
    html
      .replaceAll(FONTS, "")
      .replaceAll(/ bgcolor=""/g, "")
      .replaceAll(/ class="([^"]*)"/g, (_, names: string) => ` class="${names.split(/\s+/).filter(isClass).join(" ")}"`)
      .replaceAll(/ class=""/g, "")
      // The inliner writes such attributes without a value.
      .replaceAll(/ ([\w-]+)=""/g, " $1")
      .replaceAll(/#([\da-f])([\da-f])([\da-f])\b/gi, "#$1$1$2$2$3$3")
      .replaceAll(/\s+/g, " ")
      .replaceAll(/ ?([:;]) ?/g, "$1")
  );
}

/** The markup that MJML adds to the head to load fonts in use. */
const FONTS =
  /<!--\[if !mso\]><!-->\s*(?:<link href="[^"]*" rel="stylesheet" type="text\/css">\s*)+<style type="text\/css">\s*(?:@import url\([^)]*\);\s*)+<\/style>\s*<!--<!\[endif\]-->/g;

/** For an empty class name, MJML writes only the suffix. */
function isClass(name: string): boolean {
  return name !== "" && !/^-(?:outlook|thumbnail)$/.test(name);
}

/** The attributes with a tag in their value. */
function attributeUses(document: MjmlElement, isLost: (tag: number) => boolean): AttributeUse[] {
  return elementsOf(document).flatMap((element) =>
    element.attributes
      .filter(({ value }) => value.search(TOKEN) >= 0)
      .map((attribute) => ({
        element,
        attribute,
        isLost: tokensIn(attribute.value).some(({ tag }) => isLost(tag)),
      })),
  );
}

/** Attributes for which MJML accepts any value, but which it computes with or decides by. */
const COMPUTED: Readonly<Record<string, readonly string[]>> = {
  "background-size": ["cover", "37px", "37px 21px"],
  "background-position": ["left top"],
  "background-position-x": ["left"],
  "background-position-y": ["top"],
  hamburger: ["hamburger"],
  mode: ["fixed-height", "fluid-height", "vertical"],
  name: ["facebook"],
  owa: ["desktop"],
};
/** MJML computes with the first number of such a value; a tag may be any part of it. */
const BORDER = /^(?:inner-)?border(?:-(?:left|right|top|bottom))?$/;

/**
 * Sample values for a tag in an attribute, one of each kind that MJML distinguishes. Empty if MJML prints any value
 * unchanged: colours, URLs, font names.
 */
function samplesOf({ tagName }: MjmlElement, name: string, { components }: MjmlLibrary): readonly string[] {
  // Attributes of mj-all and mj-class apply to elements of any kind.
  const types = [components[tagName], ...Object.values(components)].map((component) => component?.allowedAttributes);
  const type = types.find((known) => known && Object.hasOwn(known, name))?.[name] ?? "string";
  const [, kind = type, options = ""] = /^(\w+)\(([^)]*)\)/.exec(type) ?? [];
  if (kind === "boolean") return ["true", "false"];
  if (kind === "integer") return ["37"];
  if (kind === "enum") return options.split(",").filter(Boolean);
  if (kind === "unit" || kind === "unitWithNegative") {
    return options.split(",").flatMap((unit) => (/^(?:px|%|em)$/.test(unit) ? `37${unit}` : unit || []));
  }
  return BORDER.test(name) ? ["7px", "red"] : (COMPUTED[name] ?? []);
}

/** An element in mj-attributes that sets defaults, and its mj-class, if any. */
interface Default {
  readonly element: MjmlElement;
  readonly className: string | undefined;
}

/**
 * The numbers of the tags in defaults of mj-attributes that apply to no element: they need not be printed.
 * Shared heads have many of them.
 */
function unusedDefaultTags(document: MjmlElement): Set<number> {
  const elements = elementsOf(document);
  const users = document.children.filter(({ tagName }) => tagName === "mj-body").flatMap((body) => elementsOf(body));
  const defaults = elements.filter(({ tagName }) => tagName === "mj-attributes").flatMap(defaultsIn);
  const unused = defaults.flatMap(({ element, className }) =>
    element.attributes
      // The name of a class decides where it applies.
      .filter(({ name }) => element.tagName !== "mj-class" || name !== "name")
      .map(({ name, value }) => ({ name, tokens: tokensIn(value) }))
      .filter(
        ({ name, tokens }) => tokens.length > 0 && !users.some((user) => usesDefault(user, name, element, className)),
      ),
  );
  return new Set(unused.flatMap(({ tokens }) => tokens.map(({ tag }) => tag)));
}

function defaultsIn(attributes: MjmlElement): Default[] {
  return attributes.children.flatMap((element) => {
    if (element.tagName !== "mj-class") return [{ element, className: undefined }];
    const className = attributeValue(element, "name");
    return [element, ...element.children].map((inner) => ({ element: inner, className }));
  });
}

function usesDefault(
  user: MjmlElement,
  name: string,
  { tagName }: MjmlElement,
  className: string | undefined,
): boolean {
  if (className !== undefined) return (attributeValue(user, "mj-class") ?? "").split(/\s+/).includes(className);
  return (tagName === "mj-all" || tagName === user.tagName) && attributeValue(user, name) === undefined;
}
