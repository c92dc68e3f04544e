import { offsetAt, type Position, positionAt } from "../../position.js";
import { readJsxTag } from "./jsx-tag.js";
import { readMarkupTag } from "./markup-tag.js";
import { mjmlAttributes, mjmlStyleAttributes } from "./mjml-names.js";
import { findStyleKey, isSameName } from "./style-keys.js";
import type { WrittenAttribute, WrittenTag } from "./written-attribute.js";

/**
 * Where a source has an attribute of an open tag: in html, in MJML (`background-color` for `bgcolor`) or in JSX
 * (`className` for `class`).
 *
 * @example
 * attributePosition('<a\n  href="{{url}}">', { line: 1, column: 1 }, ["href"]); // { line: 2, column: 3 }
 *
 * @param at Where the tag's `<` is.
 * @param names As html has them; the first that is there counts.
 * @returns undefined where the tag has none of them: then a compiler or component added it.
 */
export function attributePosition(text: string, at: Position, names: readonly string[]): Position | undefined {
  const tag = readTag(text, at);
  for (const name of names) {
    const attribute = tag && attributeNamed(tag, namesFor(tag, name));
    if (attribute) return positionAt(text, attribute.start);
  }
  return undefined;
}

/** What is written for an attribute of an open tag. */
export function attributeText(text: string, at: Position, name: string): string | undefined {
  return readTag(text, at)?.attributes.find((attribute) => attribute.name === name)?.value;
}

/** The same for the value of one: behind its quote, or behind the brace that opens it. */
export function valuePosition(text: string, at: Position, name: string): Position | undefined {
  const tag = readTag(text, at);
  const attribute = tag && attributeNamed(tag, namesFor(tag, name));
  return attribute && positionAt(text, attribute.value === "" ? attribute.start : attribute.valueStart);
}

/**
 * Where a text begins as wanted that is written at a place: there itself, or in quotes.
 *
 * @example
 * beginningPosition("<a href={`http://${host}`}>", { line: 1, column: 10 }, "http:"); // { line: 1, column: 11 }
 */
export function beginningPosition(text: string, at: Position, beginning: string): Position | undefined {
  const offset = offsetAt(text, at);
  const [before = ""] = (offset === undefined ? undefined : /^\s*["'`]?/.exec(text.slice(offset))) ?? [];
  if (offset === undefined || !text.startsWith(beginning, offset + before.length)) return undefined;
  return positionAt(text, offset + before.length);
}

/**
 * Where a source has a property of an open tag's style: in `style="…"`, in `style={{ … }}` or an object of the same file
 * that it names, or as an attribute of MJML. A shorthand stands for what it sets.
 *
 * @example
 * stylePosition('<Text style={{ fontSize: 12 }}>', { line: 1, column: 1 }, "font-size"); // { line: 1, column: 15 }
 */
export function stylePosition(text: string, at: Position, property: string): Position | undefined {
  const tag = readTag(text, at);
  if (!tag) return undefined;
  for (const name of withShorthands(property.toLowerCase())) {
    const offset = styleOffset(text, tag, name);
    if (offset !== undefined) return positionAt(text, offset);
  }
  return undefined;
}

interface SourceTag extends WrittenTag {
  readonly language: "jsx" | "markup" | "mjml";
}

function readTag(text: string, at: Position): SourceTag | undefined {
  const offset = offsetAt(text, at);
  if (offset === undefined) return undefined;
  if (isJsx(text)) {
    const tag = readJsxTag(text, offset);
    return tag && { ...tag, language: "jsx" };
  }
  const tag = readMarkupTag(text, offset);
  return tag && { ...tag, language: /^mj(?:ml$|-)/i.test(tag.name) ? "mjml" : "markup" };
}

/** Whether a source is a module; html and MJML begin with a tag, or have no line that imports or exports. */
function isJsx(text: string): boolean {
  return !/^\s*(?:<|\{\{)/.test(text) && MODULE.test(text);
}

const MODULE =
  /^\s*(?:import\b.*["']|export\s+(?:default|const|function|async|class|let|type|interface|enum)\b|export\s*[{*])/m;

function attributeNamed({ attributes }: WrittenTag, names: readonly string[]): WrittenAttribute | undefined {
  for (const wanted of names) {
    const found = attributes.find(({ name }) => isSameName(name, wanted));
    if (found) return found;
  }
  return undefined;
}

function namesFor({ language }: SourceTag, name: string): readonly string[] {
  if (language === "mjml") return mjmlAttributes(name);
  return language === "jsx" ? [name, ...(JSX_NAMES[name] ?? [])] : [name];
}

/** Tailwind makes styles of classes. */
const JSX_NAMES: Readonly<Record<string, readonly string[]>> = {
  class: ["className"],
  for: ["htmlFor"],
  style: ["className"],
};

function styleOffset(text: string, tag: SourceTag, property: string): number | undefined {
  if (tag.language === "mjml") return attributeNamed(tag, mjmlStyleAttributes(property))?.start;
  const style = tag.attributes.find(({ name }) => name.toLowerCase() === "style");
  if (!style) return undefined;
  const { value, valueStart, isExpression } = style;
  if (isExpression) return findStyleKey(text, { start: valueStart, end: valueStart + value.length }, property);
  const declared = new RegExp(`(?<![\\w-])${property.replaceAll(/[^\w-]/g, "\\$&")}(?=\\s*:)`, "gi");
  const last = Array.from(withoutTags(value).matchAll(declared), ({ index }) => index).at(-1);
  return last === undefined ? undefined : valueStart + last;
}

/** Mustache tags and addresses, in which no property stands, as blanks. */
function withoutTags(value: string): string {
  return value.replaceAll(/\{\{[^]*?\}\}\}?|url\([^)]*\)/gi, (found) => " ".repeat(found.length));
}

/** `border-top-color`, `border-top`, `border` */
function withShorthands(property: string): string[] {
  const parts = property.split("-");
  return parts.map((_, index) => parts.slice(0, parts.length - index).join("-")).filter((name) => name !== "");
}
