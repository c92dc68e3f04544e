import { byValue, countCases, everyCase, ifMissing, lift, select } from "./choices.js";
import { later } from "./later.js";
import { isComputed } from "./expression.js";
import { tokenOf } from "./paths.js";
import { located, type Missing, refuse, rendering, type Token } from "./rendering.js";
import { type AccessPath, represented, type Symbolic } from "./symbolic.js";

const ANY_TOKEN = /\uE000\d+\uE001/;
const ONE_TOKEN = /^\uE000(\d+)\uE001$/;

/** What a value represents, including a string with tokens; undefined for every ordinary value. */
export function symbolicOf(value: unknown): Symbolic | undefined {
  if (typeof value !== "string") return represented(value);
  if (!ANY_TOKEN.test(value)) return undefined;
  const meaning = rendering().tokens[Number(ONE_TOKEN.exec(value)?.[1] ?? -1)];
  const isVariable = meaning?.kind === "value" && meaning.path.isOnly("string");
  return isVariable ? meaning.path : { kind: "text", text: value };
}

/** A token in a string, or the text between two. */
export interface Piece {
  readonly text: string;
  readonly meaning: Token | undefined;
}

export function piecesOf(text: string, { tokens } = rendering()): Piece[] {
  const pieces = text.split(/(\uE000\d+\uE001)/).filter((piece) => piece !== "");
  return pieces.map((piece) => ({ text: piece, meaning: tokens[Number(ONE_TOKEN.exec(piece)?.[1] ?? -1)] }));
}

/** How much deeper in sections the next piece is. */
function depthOf({ meaning }: Piece): number {
  if (meaning?.kind === "case" || meaning?.kind === "each") return 1;
  return meaning?.kind === "close" ? -1 : 0;
}

/** Whether parts of a string depend on variables, or are repeated. */
export function hasSections(text: string): boolean {
  return piecesOf(text).some((piece) => depthOf(piece) > 0);
}

/** Whether a string with tokens can't be empty, whatever the variables are. */
export function hasPlainText(text: string): boolean {
  let depth = 0;
  return piecesOf(text).some((piece) => {
    depth += depthOf(piece);
    return depth === 0 && isNeverEmpty(piece);
  });
}

function isNeverEmpty({ meaning }: Piece): boolean {
  if (meaning?.kind === "value") return meaning.path.isOnly("number") && !meaning.path.mayBeMissing;
  return !meaning || meaning.kind === "missing";
}

export function valuesInString(text: string): { readonly token: string; readonly path: AccessPath }[] {
  return piecesOf(text).flatMap(({ text: token, meaning }) =>
    meaning?.kind === "value" ? [{ token, path: meaning.path }] : [],
  );
}

export function replaceValues(
  text: string,
  replacementOf: (path: AccessPath, token: string, raw: boolean) => string,
  from = rendering(),
): string {
  const replaced = piecesOf(text, from).map(({ text: piece, meaning }) =>
    meaning?.kind === "value" ? replacementOf(meaning.path, piece, meaning.raw) : piece,
  );
  return replaced.join("");
}

/** `String(value)`, for a template literal or a concatenation. */
export function stringOf(value: unknown): unknown {
  return lift(value, (each) => {
    const symbolic = represented(each);
    if (symbolic?.kind === "path") return stringOfPath(symbolic);
    if (symbolic?.kind === "position") return stringOf(later("printCount")(each));
    return typeof each === "symbol" ? each : String(each);
  });
}

export function isString(value: unknown): boolean {
  if (typeof value === "string") return true;
  const symbolic = represented(value);
  return symbolic?.kind === "path" && symbolic.isOnly("string") && !symbolic.mayBeMissing;
}

/** Whether a variable is certainly a number, so that no conversion is needed. */
export function isNumber(value: unknown): boolean {
  const symbolic = represented(value);
  return symbolic?.kind === "path" && symbolic.isOnly("number") && !symbolic.mayBeMissing;
}

/** Whether it is a string, or a choice between strings. */
export function areStrings(value: unknown): boolean {
  return everyCase(value, isString);
}

/** A choice between many strings, as one string that contains the choices. */
export function compactString(value: unknown): unknown {
  return countCases(value) > MOST_STRINGS && areStrings(value) ? inlineString(value) : value;
}

/** A value as one string that contains its choices. */
export function inlineString(value: unknown): string {
  const symbolic = represented(value);
  if (symbolic?.kind !== "choice") {
    const text = stringOf(value);
    return represented(text)?.kind === "choice" ? inlineString(text) : String(text);
  }
  const now = rendering();
  const { test, yes, no } = symbolic;
  const known = now.facts.known(test);
  if (known !== undefined) return inlineString(known ? yes : no);
  const part = (answer: boolean, text: string): string =>
    text === "" ? "" : `${now.token({ kind: "case", test, answer })}${text}${now.token({ kind: "close" })}`;
  const { before, middle, after } = commonParts(inlineString(yes), inlineString(no));
  return before + part(true, middle[0]) + part(false, middle[1]) + after;
}

/** The common start and end of two strings, without splitting sections. */
function commonParts(yes: string, no: string): { before: string; middle: readonly [string, string]; after: string } {
  const [first, second] = [unitsOf(yes), unitsOf(no)];
  const shorter = Math.min(first.length, second.length);
  let start = 0;
  while (start < shorter && first[start] === second[start]) start += 1;
  let end = 0;
  while (end < shorter - start && first.at(-1 - end) === second.at(-1 - end)) end += 1;
  const middleOf = (all: readonly string[]): string => all.slice(start, all.length - end).join("");
  return {
    before: first.slice(0, start).join(""),
    middle: [middleOf(first), middleOf(second)],
    after: first.slice(first.length - end).join(""),
  };
}

/** A string's characters, with each token and each section as one unit. */
function unitsOf(text: string): string[] {
  const units: string[] = [];
  let depth = 0;
  for (const piece of piecesOf(text)) {
    if (depth > 0) units.push((units.pop() ?? "") + piece.text);
    else units.push(...(piece.meaning ? [piece.text] : Array.from(piece.text)));
    depth += depthOf(piece);
  }
  return units;
}

/** The string of an item that is joined with others; a missing item is empty. */
export function stringOfItem(item: unknown): unknown {
  return lift(item, (each) => {
    if (Array.isArray(each)) return refuse(undefined, "joins lists");
    const symbolic = represented(each);
    if (symbolic?.kind !== "path") return stringOf(each ?? "");
    if (symbolic.isOnly("string", "number", "bigint")) return tokenOf(symbolic);
    return select(
      symbolic.presence,
      () => stringOf(each),
      () => "",
    );
  });
}

/** Strings and values joined as in a template literal. */
export function concatenate(parts: readonly unknown[]): unknown {
  return parts.reduce((before, part) => {
    const text = stringOf(part);
    if (countCases(before) * countCases(text) > MOST_STRINGS) return inlineString(before) + inlineString(text);
    return lift(before, (start) => lift(text, (end) => `${String(start)}${String(end)}`));
  }, "");
}

/** Strings with more cases are joined with the choices in them, and can't be tested any more. */
const MOST_STRINGS = 16;

/** `{ __html: value }`: its variables are printed as HTML. */
export function rawHtml(value: unknown): unknown {
  return lift(value, (each) => {
    const symbolic = symbolicOf(each);
    if (symbolic?.kind === "path") return tokenOf(located(symbolic), true);
    if (symbolic?.kind !== "text") return each;
    return replaceValues(symbolic.text, (path) => tokenOf(located(path), true));
  });
}

const PRINTED = ["string", "number", "bigint", "boolean"] as const;

function stringOfPath(path: AccessPath): unknown {
  const isUnsure = path.mayBeMissing || !path.isOnly("string", "number", "bigint");
  const isList = path.types.length > 1 && path.mayBe("list");
  if ((isUnsure && isComputed(path)) || path.kinds.has("date") || isList) return later("computeString")(path);
  if (!PRINTED.some((kind) => path.mayBe(kind))) {
    return refuse(path, `converts ${path.isOnly("list") ? "a list" : "an object"} to a string`);
  }
  const booleans = path.kinds.has("boolean") ? [true, false] : [];
  const text = byValue(path, booleans, String, tokenOf(path));
  if (!path.mayBeMissing) return text;
  return select(
    path.presence,
    () => text,
    () => missing(path),
  );
}

/**
 * JavaScript converts an absent value to the word "undefined", and null to "null". That is a mistake in the template if it is
 * reachable, which is only known for the whole document: the string may be inside a section that tests it first. A variable
 * that every example has may be meant to be always present, and is not reported because it is tested elsewhere.
 */
function missing(path: AccessPath): unknown {
  const ifNull = wordForMissing(path, "null");
  const ifAbsent = (): string => wordForMissing(path, "undefined");
  if (!path.isUntyped) return ifMissing(path, ifNull, ifAbsent);
  return path.optional ? select({ path, question: { kind: "null" } }, () => ifNull, ifAbsent) : ifNull;
}

function wordForMissing(path: AccessPath, word: Missing["word"]): string {
  if (rendering().presence.absentable.has(path.variableKey)) return word;
  return rendering().token({ kind: "missing", path: located(path), word });
}
