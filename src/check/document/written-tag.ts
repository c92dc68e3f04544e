import type { Attribute } from "../../text/markup/scan.js";
import type { Edit } from "../../diagnostic.js";
import { offsetAt } from "../../text/position.js";
import type { EmailDocument } from "./email-document.js";
import type { EmailElement } from "./nodes.js";

/** An attribute as written in a source file. `value` has no quotes or braces. */
export interface WrittenAttribute extends Attribute {
  /** Whether the value is a JavaScript expression in braces. */
  readonly isExpression?: boolean;
}

/** An opening tag as written in a source file. */
export interface WrittenTag {
  readonly name: string;
  readonly attributes: readonly WrittenAttribute[];
  readonly selfClosing: boolean;
  /** The offset after its `>`. */
  readonly end: number;
}

/** The name given to spread attributes, `{...props}`, and to Mustache tags between attributes. */
export const SPREAD = "...";

const TAG_NAME = /<[\p{L}_$][^\s/<>{}"'=]*/uy;
const ATTRIBUTE_NAME = /[^\s/<>{}][^\s/<>{}=]*/y;
const EQUALS = /\s*=\s*/y;
/** White space, the slash before `>`, and JSX comments. */
const BETWEEN = /(?:\/\*[^]*?\*\/|\/\/[^\n]*|[\s/])*/y;
const MUSTACHE = /\{\{(?:\{[^]*?\}\}\}|[^]*?\}\})/y;
/** A brace, or something in which a brace is not code: a string or a comment. */
const CODE = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[^])*`|\/\*[^]*?\*\/|(?<!:)\/\/[^\n]*|[{}]/g;

/**
 * Reads an opening tag of HTML, MJML or JSX, with Mustache tags between its attributes and in their values.
 *
 * @returns undefined if there is no tag at this offset, or it does not end.
 */
export function readTag(text: string, start: number): WrittenTag | undefined {
  const name = match(TAG_NAME, text, start).slice(1);
  if (name === "") return undefined;
  const attributes: WrittenAttribute[] = [];
  let at = start + 1 + name.length;
  for (;;) {
    at += match(BETWEEN, text, at).length;
    if (text.charAt(at) === ">") return { name, attributes, selfClosing: text.charAt(at - 1) === "/", end: at + 1 };
    const read = readAttribute(text, at);
    if (!read) return undefined;
    attributes.push(read.attribute);
    at = read.end;
  }
}

interface ReadAttribute {
  readonly attribute: WrittenAttribute;
  readonly end: number;
}

function readAttribute(text: string, start: number): ReadAttribute | undefined {
  if (text.charAt(start) === "{") return readBraces(text, SPREAD, { start, braces: start });
  const name = match(ATTRIBUTE_NAME, text, start);
  if (name === "") return undefined;
  const nameEnd = start + name.length;
  const equals = match(EQUALS, text, nameEnd);
  if (equals === "") return { attribute: { name, start, value: "", valueStart: nameEnd }, end: nameEnd };
  const first = text.charAt(nameEnd + equals.length);
  if (first === "{") return readBraces(text, name, { start, braces: nameEnd + equals.length });
  const quote = first === '"' || first === "'" ? first : "";
  const closing = quote || " \n\t>";
  const valueStart = nameEnd + equals.length + quote.length;
  let end = valueStart;
  while (end < text.length && !closing.includes(text.charAt(end))) end += match(MUSTACHE, text, end).length || 1;
  return { attribute: { name, start, value: text.slice(valueStart, end), valueStart }, end: end + quote.length };
}

function readBraces(
  text: string,
  name: string,
  { start, braces }: { readonly start: number; readonly braces: number },
): ReadAttribute {
  const end = endOfBraces(text, braces);
  const value = text.slice(braces + 1, end - 1);
  return { attribute: { name, start, value, valueStart: braces + 1, isExpression: true }, end };
}

/** The offset after the brace that closes the one at `start`; the end of the text if it is never closed. */
export function endOfBraces(text: string, start: number): number {
  let open = 0;
  CODE.lastIndex = start;
  for (let token = CODE.exec(text); token; token = CODE.exec(text)) {
    if (token[0] === "{") open += 1;
    else if (token[0] === "}") open -= 1;
    if (open === 0) return CODE.lastIndex;
  }
  return text.length;
}

function match(pattern: RegExp, text: string, from: number): string {
  pattern.lastIndex = from;
  return pattern.exec(text)?.[0] ?? "";
}

/** The opening tag in the source for an element: its own, or that of a component that renders it. */
export interface SourceTag {
  /** `img`, `mj-image`, `Img` */
  readonly name: string;
  has(attribute: string): boolean;
  readonly attributes: readonly WrittenAttribute[];
  /** The edit that adds an attribute to it. */
  add(attribute: string): Edit;
}

/** Undefined for elements that a compiler adds, and if the place in the source is unknown. */
export function sourceTag({ input }: EmailDocument, { place }: Pick<EmailElement, "place">): SourceTag | undefined {
  const { file = "", line, column } = place?.at ?? {};
  const text = input.sources.get(file);
  if (text === undefined || line === undefined || column === undefined) return undefined;
  const offset = offsetAt(text, { line, column });
  if (offset === undefined) return undefined;
  const isJsx = /\.[jt]sx?$/.test(file);
  const tag = readTag(text, offset);
  if (!tag) return undefined;
  const remove = `<${tag.name}`;
  return {
    name: isJsx ? tag.name : tag.name.toLowerCase(),
    has: (attribute) => tag.attributes.some(({ name }) => name.toLowerCase() === attribute),
    attributes: tag.attributes,
    add: (attribute) => ({ at: { file, line, column }, remove, insert: `${remove} ${attribute}` }),
  };
}
