import type { WrittenAttribute, WrittenTag } from "./written-attribute.js";

const NAME = /[a-z][^\s/<>{}]*/iy;
const EQUALS = /\s*=\s*/y;
const MUSTACHE = /\{\{(?:\{[^]*?\}\}\}|[^]*?\}\})/y;

/**
 * Reads an open tag of html or MJML as it was written, with Mustache tags among its attributes and in their values.
 *
 * @returns undefined where there is none, or it does not end.
 */
export function readMarkupTag(text: string, start: number): WrittenTag | undefined {
  const name = text.charAt(start) === "<" ? match(NAME, text, start + 1) : "";
  if (name === "") return undefined;
  const attributes: WrittenAttribute[] = [];
  let at = start + 1 + name.length;
  while (at < text.length) {
    const next = text.charAt(at);
    if (next === ">") return { name, attributes, selfClosing: text.charAt(at - 1) === "/", end: at + 1 };
    if (next === "<") return undefined;
    const tag = match(MUSTACHE, text, at);
    if (tag !== "" || /[\s/]/.test(next)) {
      at += tag.length || 1;
      continue;
    }
    const read = readAttribute(text, at);
    attributes.push(read.attribute);
    at = read.end;
  }
  return undefined;
}

function readAttribute(text: string, start: number): { readonly attribute: WrittenAttribute; readonly end: number } {
  const nameEnd = endOf(text, start + 1, /[\s=>/]/);
  const equals = match(EQUALS, text, nameEnd);
  const quoteStart = nameEnd + equals.length;
  const quote = equals !== "" && /["']/.test(text.charAt(quoteStart)) ? text.charAt(quoteStart) : "";
  const valueStart = quoteStart + quote.length;
  const valueEnd =
    equals === "" ? valueStart : endOf(text, valueStart, quote === "" ? /[\s>]/ : quote === '"' ? /"/ : /'/);
  return {
    attribute: {
      name: text.slice(start, nameEnd),
      start,
      value: text.slice(valueStart, valueEnd),
      valueStart,
      isExpression: false,
    },
    end: valueEnd + quote.length,
  };
}

/** Where a character stands that ends something; a Mustache tag may hold it, too. */
function endOf(text: string, from: number, ending: RegExp): number {
  let at = from;
  while (at < text.length && !ending.test(text.charAt(at))) at += match(MUSTACHE, text, at).length || 1;
  return Math.min(at, text.length);
}

function match(pattern: RegExp, text: string, from: number): string {
  pattern.lastIndex = from;
  return pattern.exec(text)?.[0] ?? "";
}
