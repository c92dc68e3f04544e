import { OWN_NAMES, type RawElement } from "../../../mustache/expression/own-names.js";
import { STRING } from "../../../mustache/expression/results.js";
import { lift } from "./choices.js";
import { compute, printable } from "./computed.js";
import type { Expression } from "./expression.js";
import { expressionOf } from "./expressions.js";
import { isCount } from "./loops.js";
import { pathOf, tokenOf, valueOfPath } from "./paths.js";
import { located, refuse } from "./rendering.js";
import { inlineString, piecesOf, replaceValues, stringOf, symbolicOf } from "./strings.js";
import { type AccessPath, represented } from "./symbolic.js";

export function isRawElement(type: unknown): type is RawElement {
  return type === "script" || type === "style";
}

/** The children of such an element as React prints them: of a script only a string, of a style sheet only a single child. */
export function rawText(children: unknown, element: RawElement): unknown {
  const only: unknown =
    element === "style" && Array.isArray(children) && children.length === 1 ? children[0] : children;
  const text = symbolicOf(only) ? lift(only, (child) => textOfChild(child, element)) : children;
  return represented(text)?.kind === "choice" ? inlineString(text) : text;
}

function textOfChild(child: unknown, element: RawElement): unknown {
  const symbolic = symbolicOf(child);
  if (symbolic?.kind === "path") return textOfVariable(symbolic, element);
  if (symbolic?.kind === "text") return textWithVariables(symbolic.text, element);
  if (element === "script") return typeof child === "string" ? child : "";
  if (isCount(symbolic)) return stringOf(printable(child));
  if (symbolic) return refuse(symbolic, "prints a list in a style sheet", { hint: 'Join it: `.join("")`.' });
  return child === null || child === undefined || Array.isArray(child) ? "" : stringOf(child);
}

function textOfVariable(path: AccessPath, element: RawElement): string {
  if (element === "script" && !path.mayBe("string")) return "";
  const isPrinted = element === "style" || path.isOnly("string");
  if (isPrinted && isHarmless(path)) return tokenOf(located(path), true);
  const isCertain = path.isOnly("string") && !path.mayBeMissing;
  return escapedToken(valueOfPath(path), (of) =>
    isCertain
      ? escaped(of, element)
      : { kind: "if", test: isPrintedBy(element, of), yes: escaped({ kind: "text", parts: [of] }, element), no: EMPTY },
  );
}

/** Variables are escaped one by one, so that the rest of a style sheet stays readable, unless the name may be split between them. */
function textWithVariables(text: string, element: RawElement): string {
  const pieces = piecesOf(text);
  const isApart = pieces.every(
    ({ meaning }, index) =>
      meaning?.kind !== "value" ||
      isNumeric(meaning.path) ||
      (endsApart(pieces[index - 1]?.text ?? "") && beginsApart(pieces[index + 1]?.text ?? "")),
  );
  if (!isApart) return escapedToken(text, (of) => escaped(of, element));
  return replaceValues(text, (path) =>
    isHarmless(path) ? tokenOf(located(path), true) : escapedToken(valueOfPath(path), (of) => escaped(of, element)),
  );
}

const endsApart = (text: string): boolean => /(?:^|[^</a-z\uE001])$/i.test(text);
const beginsApart = (text: string): boolean => /^(?:$|[^</a-z\uE000])/i.test(text);

function isNumeric(path: AccessPath): boolean {
  return path.isOnly("number", "bigint");
}

/** Whether none of its values contains a `<`. */
function isHarmless(path: AccessPath): boolean {
  return isNumeric(path) || path.literals?.every((each) => !String(each).includes("<")) === true;
}

/** The tag of a string after React's escaping. */
function escapedToken(value: unknown, escape: (of: Expression) => Expression): string {
  const about = symbolicOf(value);
  const site = about?.kind === "path" ? about.site : undefined;
  const computing = {
    problem: "prints a variable without escaping it for HTML",
    about,
    shape: STRING,
    ...(site && { site }),
  };
  const path = pathOf(
    compute(computing, () => {
      const of = expressionOf(value);
      return of && escape(of);
    }),
  );
  return path ? tokenOf(path, true) : "";
}

/** Whether an element prints a child, other than nothing. */
function isPrintedBy(element: RawElement, of: Expression): Expression {
  return element === "script"
    ? binary("===", { kind: "unary", operator: "typeof", of }, "string")
    : binary("!=", of, null);
}

function binary(operator: string, left: Expression, value: unknown): Expression {
  return { kind: "binary", operator, left, right: { kind: "value", value } };
}

const EMPTY: Expression = { kind: "value", value: "" };

function escaped(of: Expression, element: RawElement): Expression {
  return OWN_NAMES[element].reduce<Expression>((text, [source, replacement]) => {
    const args = [new RegExp(source, "g"), replacement].map((value): Expression => ({ kind: "value", value }));
    return { kind: "call", callee: { kind: "member", of: text, name: "replace" }, args };
  }, of);
}
