import type { WrittenAttribute, WrittenTag } from "./written-attribute.js";

const TAG_NAME = /[\p{ID_Start}$_][\p{ID_Continue}$.:-]*/uy;
const ATTRIBUTE_NAME = /[\p{ID_Start}$_][\p{ID_Continue}$:-]*/uy;
const BLANK = /(?:\s|\/\*[^]*?\*\/|\/\/[^\n]*)+/y;
const STRING = /"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*'/y;
const JSX_STRING = /"[^"]*"|'[^']*'/y;
const REGEXP = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;
const CLOSING = /<\/[^<>]*>/y;
/** After these a `/` or a `<` begins something; after a value it is an operator. */
const EXPECTS_VALUE = /(?:^|[(,=:[!&|?{};+*%~^>-]|\b(?:return|typeof|case|in|of|void|await|yield|default))$/;

/** Stands for the name of attributes that come as an object: `{...props}`. */
export const SPREAD = "...";

/** How deep elements in expressions of elements are read: more is written by no person. */
const DEEPEST = 60;

/**
 * Reads an open tag of JSX as it was written.
 *
 * @returns undefined where there is none, or it does not end.
 */
export function readJsxTag(text: string, start: number, depth = 0): WrittenTag | undefined {
  const name = text.charAt(start) === "<" ? match(TAG_NAME, text, start + 1) : "";
  if (name === "" || depth > DEEPEST) return undefined;
  const attributes: WrittenAttribute[] = [];
  let at = afterTypes(text, start + 1 + name.length);
  while (at < text.length) {
    at += match(BLANK, text, at).length;
    if (text.charAt(at) === ">") return { name, attributes, selfClosing: false, end: at + 1 };
    if (text.startsWith("/>", at)) return { name, attributes, selfClosing: true, end: at + 2 };
    if (text.charAt(at) === "{") {
      const end = endOfBraces(text, at, depth);
      const value = text.slice(at + 1, end - 1);
      attributes.push({ name: SPREAD, start: at, value, valueStart: at + 1, isExpression: true });
      at = end;
      continue;
    }
    const read = readAttribute(text, at, depth);
    if (!read) return undefined;
    attributes.push(read.attribute);
    at = read.end;
  }
  return undefined;
}

function readAttribute(
  text: string,
  start: number,
  depth: number,
): { readonly attribute: WrittenAttribute; readonly end: number } | undefined {
  const name = match(ATTRIBUTE_NAME, text, start);
  if (name === "") return undefined;
  const nameEnd = start + name.length;
  const equals = nameEnd + match(BLANK, text, nameEnd).length;
  if (text.charAt(equals) !== "=")
    return { attribute: { name, start, value: "", valueStart: nameEnd, isExpression: false }, end: nameEnd };
  const valueStart = equals + 1 + match(BLANK, text, equals + 1).length;
  const isExpression = text.charAt(valueStart) === "{";
  const end = isExpression
    ? endOfBraces(text, valueStart, depth)
    : valueStart + match(JSX_STRING, text, valueStart).length;
  if (end === valueStart) return undefined;
  const value = text.slice(valueStart + 1, end - 1);
  return { attribute: { name, start, value, valueStart: valueStart + 1, isExpression }, end };
}

/** Takes the arguments of a generic component: `<Table<Row> rows={rows}>`. */
function afterTypes(text: string, at: number): number {
  if (text.charAt(at) !== "<") return at;
  let open = 0;
  for (let end = at; end < text.length; end += 1) {
    if (text.charAt(end) === "<") open += 1;
    else if (text.charAt(end) === ">" && text.charAt(end - 1) !== "=") open -= 1;
    if (open === 0) return end + 1;
  }
  return text.length;
}

/** After the brace that closes the one at an offset; the end of the text where there is none. */
export function endOfBraces(text: string, start: number, depth = 0): number {
  let open = 0;
  for (const { kind, at, end } of codePieces(text, start, depth)) {
    if (kind !== "sign") continue;
    if (/[{[(]/.test(text.charAt(at))) open += 1;
    else if (/[}\])]/.test(text.charAt(at))) open -= 1;
    if (open === 0) return end;
  }
  return text.length;
}

/** A part of JavaScript: enough of it to tell code from what only looks like it. */
export interface CodePiece {
  readonly kind: "word" | "string" | "sign" | "other";
  readonly at: number;
  readonly end: number;
}

const WORD = /[\p{ID_Start}$_][\p{ID_Continue}$]*|\d[\w.]*/uy;

/** The parts of JavaScript from an offset on, without blanks and comments; JSX elements are one part each. */
export function* codePieces(text: string, start: number, depth = 0): Generator<CodePiece> {
  let before = "";
  for (let at = start; at < text.length;) {
    const blank = match(BLANK, text, at).length;
    at += blank;
    if (at >= text.length) return;
    const piece = codePiece(text, at, { depth, expectsValue: EXPECTS_VALUE.test(before) });
    yield piece;
    before = text.slice(piece.at, piece.end).slice(-10);
    at = piece.end;
  }
}

function codePiece(
  text: string,
  at: number,
  { depth, expectsValue }: { readonly depth: number; readonly expectsValue: boolean },
): CodePiece {
  const next = text.charAt(at);
  const length = match(WORD, text, at).length;
  if (length > 0) return { kind: "word", at, end: at + length };
  const string = match(STRING, text, at).length;
  if (string > 0) return { kind: "string", at, end: at + string };
  if (next === "`") return { kind: "other", at, end: endOfTemplate(text, at, depth) };
  if (next === "/" && expectsValue) return { kind: "other", at, end: at + (match(REGEXP, text, at).length || 1) };
  if (next === "<" && expectsValue) return { kind: "other", at, end: endOfElement(text, at, depth + 1) };
  return { kind: "sign", at, end: at + 1 };
}

function endOfTemplate(text: string, start: number, depth: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const next = text.charAt(at);
    if (next === "`") return at + 1;
    if (next === "\\") at += 1;
    else if (text.startsWith("${", at)) at = depth > DEEPEST ? text.length : endOfBraces(text, at + 1, depth + 1) - 1;
  }
  return text.length;
}

/** `<T,>(value: T) => …`, `<T extends …` */
const GENERIC = /<[\p{ID_Start}$_][\p{ID_Continue}$]*\s*(?:,|extends\b)/uy;

/** After an element with all that is in it; the end of the text where it is not whole: nothing can be told then. */
function endOfElement(text: string, start: number, depth: number): number {
  if (match(GENERIC, text, start) !== "") return start + 1;
  if (depth > DEEPEST) return text.length;
  let open = 0;
  for (let at = start; at < text.length;) {
    if (text.charAt(at) !== "<") {
      at = text.charAt(at) === "{" ? endOfBraces(text, at, depth) : at + 1;
      continue;
    }
    const closing = match(CLOSING, text, at).length;
    const tag = closing === 0 ? readJsxTag(text, at, depth) : undefined;
    const isFragment = text.startsWith("<>", at);
    if (closing > 0) open -= 1;
    else if (isFragment || tag?.selfClosing === false) open += 1;
    at = tag?.end ?? (closing > 0 ? at + closing : isFragment ? at + 2 : text.length);
    if (open <= 0) return at;
  }
  return text.length;
}

function match(pattern: RegExp, text: string, from: number): string {
  pattern.lastIndex = from;
  return pattern.exec(text)?.[0] ?? "";
}
