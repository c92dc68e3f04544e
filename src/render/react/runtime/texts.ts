import { TOKEN } from "../../../mustache/tokens.js";
import { byValue, lift, pick } from "./choices.js";
import { isOnly, kindsOf, maybe, maybeMissing } from "./kinds.js";
import { tokenOf } from "./paths.js";
import { refuse } from "./refusal.js";
import { rendering, sited } from "./rendering.js";
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
  return text.replace(TOKEN, "") !== "" && !/\uE000/.test(text.replace(TOKEN, ""));
}

/** `String(value)`, for a template literal or a concatenation. */
export function textOf(value: unknown): unknown {
  return lift(value, (each) => {
    const symbolic = symbolicOf(each);
    if (symbolic?.kind === "path") return textOfPath(symbolic);
    return typeof each === "symbol" ? each : String(each);
  });
}

/** Texts and values one after the other, as a template literal has them. */
export function concatenate(parts: readonly unknown[]): unknown {
  return parts.reduce(
    (before, part) => lift(before, (start) => lift(textOf(part), (end) => `${String(start)}${String(end)}`)),
    "",
  );
}

/** `{ __html: value }`: what it prints of variables, it prints as html. */
export function rawHtml(value: unknown): unknown {
  return lift(value, (each) => {
    const symbolic = symbolicOf(each);
    if (symbolic?.kind === "path") return tokenOf(symbolic, true);
    if (symbolic?.kind !== "text") return each;
    return symbolic.text.replace(TOKEN, (token, number: string) => {
      const meaning = rendering().tokens[Number(number)];
      return meaning?.kind === "value" ? tokenOf(meaning.path, true) : token;
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
  return maybeMissing(path) ? pick({ path, question: { kind: "present" } }, text, missing(path)) : text;
}

/**
 * JavaScript makes the word "undefined" of what is not there. That is a mistake of the template's if it can come to it,
 * which shows only in the whole: the text may stand inside of a section that asks first.
 */
function missing(path: Path): string {
  return rendering().token({ kind: "missing", path: sited(path) });
}
