import type { Attribute } from "../../markup/scan.js";

/** An attribute as it is written in a source; its value without quotes or braces. */
export interface WrittenAttribute extends Attribute {
  /** Whether the value is a JavaScript expression in braces. */
  readonly isExpression?: boolean;
}

/** An opening tag as it is written in a source. */
export interface WrittenTag {
  readonly name: string;
  readonly attributes: readonly WrittenAttribute[];
  readonly selfClosing: boolean;
  /** After its `>`. */
  readonly end: number;
}

/** Stands for the name of attributes that come as an object, `{...props}`, and of Mustache tags among attributes. */
export const SPREAD = "...";

const TAG_NAME = /<[\p{L}_$][^\s/<>{}"'=]*/uy;
const ATTRIBUTE_NAME = /[^\s/<>{}][^\s/<>{}=]*/y;
const EQUALS = /\s*=\s*/y;
/** Blanks, the slash before `>`, and comments of JSX. */
const BETWEEN = /(?:\/\*[^]*?\*\/|\/\/[^\n]*|[\s/])*/y;
const MUSTACHE = /\{\{(?:\{[^]*?\}\}\}|[^]*?\}\})/y;
/** What may have a brace in it that is not code, and braces. */
const CODE = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[^])*`|\/\*[^]*?\*\/|(?<!:)\/\/[^\n]*|[{}]/g;

/**
 * Reads an opening tag of HTML, MJML or JSX as it is written, with Mustache tags among its attributes and in their values.
 *
 * @returns undefined where there is none, or it does not end.
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

/** After the brace that closes the one at an offset; the end of the text where there is none. */
export function endOfBraces(text: string, start: number): number {
  let open = 0;
  CODE.lastIndex = start;
  for (let found = CODE.exec(text); found; found = CODE.exec(text)) {
    if (found[0] === "{") open += 1;
    else if (found[0] === "}") open -= 1;
    if (open === 0) return CODE.lastIndex;
  }
  return text.length;
}

function match(pattern: RegExp, text: string, from: number): string {
  pattern.lastIndex = from;
  return pattern.exec(text)?.[0] ?? "";
}
