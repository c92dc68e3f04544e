import { TOKEN } from "../../../mustache/tokens.js";
import { byValue, casesOf, choose, ifMissing, lift } from "./choices.js";
import { isOnly, isUnknown, kindsOf, maybe, maybeMissing } from "./kinds.js";
import { PROBLEMS } from "./loops.js";
import { tokenOf } from "./paths.js";
import { refuse, refusedText } from "./refusal.js";
import { type Missing, nameKey, rendering, sited } from "./rendering.js";
import { represented, type Path, type Symbolic } from "./symbolic.js";

const ANY_TOKEN = /\uE000\d+\uE001/;
const ONE_TOKEN = /^\uE000(\d+)\uE001$/;

/** What a value stands for, a text with tokens in it included; undefined for every ordinary value. */
export function symbolicOf(value: unknown): Symbolic | undefined {
  if (typeof value !== "string") return represented(value);
  if (!ANY_TOKEN.test(value)) return undefined;
  const meaning = rendering().tokens[Number(ONE_TOKEN.exec(value)?.[1] ?? -1)];
  const isVariable = meaning?.kind === "value" && isOnly(meaning.path, "string");
  return isVariable ? meaning.path : { kind: "text", text: value };
}

/** Whether a text with tokens in it cannot be empty, whatever the variables are. */
export function hasPlainText(text: string): boolean {
  let depth = 0;
  let from = 0;
  for (const match of text.matchAll(TOKEN)) {
    if (depth === 0 && match.index > from) return true;
    from = match.index + match[0].length;
    const meaning = rendering().tokens[Number(match[1])];
    if (meaning?.kind === "case" || meaning?.kind === "each") depth += 1;
    if (meaning?.kind === "close") depth -= 1;
    if (depth === 0 && meaning?.kind === "missing") return true;
    if (depth === 0 && meaning?.kind === "value" && isOnly(meaning.path, "number") && !maybeMissing(meaning.path)) {
      return true;
    }
  }
  return from < text.length;
}

/** The variables that a text prints, with the token of each. */
export function valuesInText(text: string): { readonly token: string; readonly path: Path }[] {
  return Array.from(text.matchAll(TOKEN)).flatMap(([token, number]) => {
    const meaning = rendering().tokens[Number(number)];
    return meaning?.kind === "value" ? [{ token, path: meaning.path }] : [];
  });
}

/** `String(value)`, for a template literal or a concatenation. */
export function textOf(value: unknown): unknown {
  return lift(value, (each) => {
    const symbolic = represented(each);
    if (symbolic?.kind === "path") return textOfPath(symbolic);
    if (symbolic?.kind === "position") return refusedText(symbolic, PROBLEMS.position);
    return typeof each === "symbol" ? each : String(each);
  });
}

export function isText(value: unknown): boolean {
  if (typeof value === "string") return true;
  const symbolic = represented(value);
  return symbolic?.kind === "path" && isOnly(symbolic, "string") && !maybeMissing(symbolic);
}

/** Whether a variable is a number in any case, so that there is nothing to make one of. */
export function isNumber(value: unknown): boolean {
  const symbolic = represented(value);
  return symbolic?.kind === "path" && isOnly(symbolic, "number") && !maybeMissing(symbolic);
}

/** Whether it is a text, or a choice of texts. */
export function isOfTexts(value: unknown): boolean {
  const symbolic = represented(value);
  return symbolic?.kind === "choice" ? isOfTexts(symbolic.yes) && isOfTexts(symbolic.no) : isText(value);
}

/** A choice of many texts as one that has the choices in it. */
export function compact(value: unknown): unknown {
  return casesOf(value) > MOST_TEXTS && isOfTexts(value) ? inlineText(value) : value;
}

/** The text of a value, with its choices made in it. */
export function inlineText(value: unknown): string {
  const symbolic = represented(value);
  if (symbolic?.kind !== "choice") {
    const text = textOf(value);
    return represented(text)?.kind === "choice" ? inlineText(text) : String(text);
  }
  const now = rendering();
  const { test, yes, no } = symbolic;
  const known = now.facts.known(test);
  if (known !== undefined) return inlineText(known ? yes : no);
  const part = (answer: boolean, text: string): string =>
    text === "" ? "" : `${now.token({ kind: "case", test, answer })}${text}${now.token({ kind: "close" })}`;
  const { before, middle, after } = inCommon(inlineText(yes), inlineText(no));
  return before + part(true, middle[0]) + part(false, middle[1]) + after;
}

/** What two texts begin and end with, without cutting sections in two. */
function inCommon(yes: string, no: string): { before: string; middle: readonly [string, string]; after: string } {
  const [first, second] = [wholes(yes), wholes(no)];
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

/** A text's letters, and its tokens and sections in one piece. */
function wholes(text: string): string[] {
  const pieces: string[] = [];
  let depth = 0;
  for (const piece of text.match(/\uE000\d+\uE001|[^\uE000]/gu) ?? []) {
    const number = ONE_TOKEN.exec(piece)?.[1];
    const kind = number === undefined ? undefined : rendering().tokens[Number(number)]?.kind;
    if (depth > 0) pieces.push((pieces.pop() ?? "") + piece);
    else pieces.push(piece);
    if (kind === "case" || kind === "each") depth += 1;
    if (kind === "close") depth -= 1;
  }
  return pieces;
}

/** The text of an item that is joined with others: of what is absent nothing. */
export function textOfItem(item: unknown): unknown {
  return lift(item, (each) => {
    if (Array.isArray(each)) return refuse(undefined, "joins lists");
    const symbolic = represented(each);
    if (symbolic?.kind !== "path") return textOf(each ?? "");
    if (isOnly(symbolic, "string", "number")) return tokenOf(symbolic);
    return choose(
      { path: symbolic, question: { kind: "present" } },
      () => textOf(each),
      () => "",
    );
  });
}

/** Texts and values one after the other, as a template literal has them. */
export function concatenate(parts: readonly unknown[]): unknown {
  return parts.reduce((before, part) => {
    const text = textOf(part);
    if (casesOf(before) * casesOf(text) > MOST_TEXTS) return inlineText(before) + inlineText(text);
    return lift(before, (start) => lift(text, (end) => `${String(start)}${String(end)}`));
  }, "");
}

/** Texts that differ more are put together with the choices in them, which nobody can ask about any more. */
const MOST_TEXTS = 16;

/** `{ __html: value }`: what it prints of variables, it prints as html. */
export function rawHtml(value: unknown): unknown {
  return lift(value, (each) => {
    const symbolic = symbolicOf(each);
    if (symbolic?.kind === "path") return tokenOf(sited(symbolic), true);
    if (symbolic?.kind !== "text") return each;
    return symbolic.text.replace(TOKEN, (token, number: string) => {
      const meaning = rendering().tokens[Number(number)];
      return meaning?.kind === "value" ? tokenOf(sited(meaning.path), true) : token;
    });
  });
}

function textOfPath(path: Path): unknown {
  if (!maybe(path, "string") && !maybe(path, "number") && !maybe(path, "boolean")) {
    return refuse(path, `makes a text of ${isOnly(path, "list") ? "a list" : "an object"}`);
  }
  const booleans = kindsOf(path).has("boolean") ? ([true, false] as const) : [];
  const text = byValue(
    path,
    booleans.map((value) => [value, String(value)] as const),
    tokenOf(path),
  );
  return maybeMissing(path)
    ? choose(
        { path, question: { kind: "present" } },
        () => text,
        () => missing(path),
      )
    : text;
}

/**
 * JavaScript makes the word "undefined" of what is absent, and "null" of null. That is a mistake of the template's if it
 * can come to it, which shows only in the whole: the text may stand inside of a section that asks first. What every
 * example has may be meant to be there always, and is not held against the template for being asked about elsewhere.
 */
function missing(path: Path): unknown {
  if (isUnknown(path)) return missingWord(path, path.optional ? undefined : "null");
  return ifMissing(
    path,
    () => missingWord(path, "null"),
    () => missingWord(path, "undefined"),
  );
}

function missingWord(path: Path, word: Missing["word"]): string {
  const { presence } = rendering();
  if (word && presence.absentable.has(nameKey(path))) return word;
  return rendering().token({ kind: "missing", path: sited(path), ...(word && { word }) });
}
