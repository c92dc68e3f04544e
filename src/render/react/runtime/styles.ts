import { STRING } from "../../../mustache/expression/results.js";
import { lift } from "./choices.js";
import { compute } from "./computed.js";
import { type Expression, isComputed } from "./expression.js";
import { expressionOf } from "./expressions.js";
import { isCount } from "./loops.js";
import { rendering } from "./rendering.js";
import { isPlain, represented } from "./symbolic.js";

/** An element's style as React prints it. React appends "px" to most numbers and omits booleans, neither of which it can recognise here. */
export function printedStyle(style: unknown): unknown {
  if (!isPlain(style)) return style;
  return Object.fromEntries(
    Object.entries(style).map(([name, value]) => [name, lift(value, (each) => printedValue(each, !isUnitless(name)))]),
  );
}

function printedValue(value: unknown, hasUnit: boolean): unknown {
  const symbolic = represented(value);
  if (!isCount(symbolic) && symbolic?.kind !== "path") return value;
  const isUnknown = symbolic.kind === "path" && symbolic.isUntyped && isComputed(symbolic);
  const mayBeNumber = isUnknown || symbolic.kind !== "path" || symbolic.kinds.has("number");
  const mayBeBoolean = isUnknown || (symbolic.kind === "path" && symbolic.kinds.has("boolean"));
  const needsUnit = hasUnit && mayBeNumber;
  if (!needsUnit && !mayBeBoolean) return value;
  const problem = needsUnit
    ? "sets a style to a number, to which React adds a unit"
    : "sets a style to a boolean, which React omits";
  const { site = rendering().site } = symbolic;
  return compute({ problem, about: symbolic, shape: STRING, site }, () => {
    const of = expressionOf(value);
    if (!of) return undefined;
    const printed = needsUnit ? withUnit(of) : of;
    return mayBeBoolean
      ? { kind: "if", test: isOfType(of, "boolean"), yes: { kind: "value", value: "" }, no: printed }
      : printed;
  });
}

function withUnit(of: Expression): Expression {
  const isSome: Expression = { kind: "binary", operator: "!==", left: of, right: { kind: "value", value: 0 } };
  const test: Expression = { kind: "binary", operator: "&&", left: isOfType(of, "number"), right: isSome };
  return { kind: "if", test, yes: { kind: "text", parts: [of, "px"] }, no: of };
}

function isOfType(of: Expression, type: string): Expression {
  const left: Expression = { kind: "unary", operator: "typeof", of };
  return { kind: "binary", operator: "===", left, right: { kind: "value", value: type } };
}

function isUnitless(name: string): boolean {
  return name.startsWith("--") || UNITLESS.has(name);
}

/** As in React. */
const UNITLESS: ReadonlySet<string> = new Set(
  (
    "animationIterationCount aspectRatio borderImageOutset borderImageSlice borderImageWidth boxFlex boxFlexGroup boxOrdinalGroup columnCount " +
    "columns flex flexGrow flexPositive flexShrink flexNegative flexOrder gridArea gridRow " +
    "gridRowEnd gridRowSpan gridRowStart gridColumn gridColumnEnd gridColumnSpan gridColumnStart fontWeight lineClamp " +
    "lineHeight opacity order orphans scale tabSize widows zIndex zoom " +
    "fillOpacity floodOpacity stopOpacity strokeDasharray strokeDashoffset strokeMiterlimit strokeOpacity strokeWidth MozAnimationIterationCount " +
    "MozBoxFlex MozBoxFlexGroup MozLineClamp msAnimationIterationCount msFlex msZoom msFlexGrow msFlexNegative msFlexOrder " +
    "msFlexPositive msFlexShrink msGridColumn msGridColumnSpan msGridRow msGridRowSpan WebkitAnimationIterationCount WebkitBoxFlex WebKitBoxFlexGroup " +
    "WebkitBoxOrdinalGroup WebkitColumnCount WebkitColumns WebkitFlex WebkitFlexGrow WebkitFlexPositive WebkitFlexShrink WebkitLineClamp"
  ).split(" "),
);
