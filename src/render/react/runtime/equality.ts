import { pick } from "./choices.js";
import { pathKey } from "./facts.js";
import { kindsOf } from "./kinds.js";
import { lengthTest } from "./questions.js";
import { refuse } from "./refusal.js";
import type { Path, Symbolic } from "./symbolic.js";

/** One side of an operator, and what it stands for, where that is symbolic. */
export interface Operand {
  readonly value: unknown;
  readonly symbolic: Symbolic | undefined;
}

/** `a === b`, and with `loose` `a == b`, where one side at least is symbolic and neither is a choice. */
export function isEqual(a: Operand, b: Operand, loose: boolean): unknown {
  if (a.symbolic && b.symbolic) {
    return (
      a.value === b.value || isSameVariable(a.symbolic, b.symbolic) || refuse(a.symbolic, "compares two variables")
    );
  }
  return a.symbolic ? compareWith(a.symbolic, b.value, loose) : b.symbolic && compareWith(b.symbolic, a.value, loose);
}

/** `a < b` and its like, likewise. */
export function compareOrder(operator: string, a: Operand, b: Operand): unknown {
  if (a.symbolic?.kind === "length" && typeof b.value === "number") {
    return compareLength(a.symbolic.of, operator, b.value);
  }
  if (b.symbolic?.kind === "length" && typeof a.value === "number") {
    return compareLength(b.symbolic.of, MIRRORED[operator] ?? operator, a.value);
  }
  return refuse(a.symbolic ?? b.symbolic, "compares sizes");
}

const MIRRORED: Readonly<Record<string, string>> = { "<": ">", ">": "<", "<=": ">=", ">=": "<=" };

function isSameVariable(a: Symbolic, b: Symbolic): boolean {
  return a.kind === "path" && b.kind === "path" && pathKey(a) === pathKey(b);
}

function compareWith(symbolic: Symbolic, literal: unknown, loose: boolean): unknown {
  if (symbolic.kind === "path") {
    if (literal === null || literal === undefined) return isNullish(symbolic, literal, loose);
    return isLiteral(symbolic, literal, loose);
  }
  if (symbolic.kind === "position") return refuse(symbolic, "asks for an item's position, which Mustache doesn't know");
  if (symbolic.kind === "length" && typeof literal === "number") return compareLength(symbolic.of, "===", literal);
  return (
    symbolic.kind === "text" && typeof literal === "string" && refuse(symbolic, "compares a text made of variables")
  );
}

/** Mustache doesn't tell null from absent, so neither may a template that is to be Mustache. */
function isNullish(path: Path, literal: null | undefined, loose: boolean): unknown {
  const other = literal === null ? path.optional : kindsOf(path).has("null");
  if (!loose && other) {
    return refuse(path, "tells null from undefined, and Mustache can't", {
      hint: "Compare with == null, which is true for both.",
    });
  }
  return pick({ path, question: { kind: "present" } }, false, true);
}

function isLiteral(path: Path, literal: unknown, loose: boolean): unknown {
  if (typeof literal !== "string" && typeof literal !== "number" && typeof literal !== "boolean") return false;
  const converts =
    [...kindsOf(path)].some((kind) => kind !== typeof literal && kind !== "null") || kindsOf(path).size === 0;
  if (loose && converts) return refuse(path, "compares with ==, which converts types", { hint: "Compare with ===." });
  return pick({ path, question: { kind: "equals", value: literal } }, true, false);
}

/** Of lengths, Mustache can be asked whether there is anything. */
function compareLength(path: Path, operator: string, size: number): unknown {
  const asked = `${operator} ${size}`;
  const some = ["> 0", ">= 1", "!== 0"].includes(asked);
  if (!some && !["=== 0", "< 1", "<= 0"].includes(asked)) return refuse(path, "counts what is in a list or a text");
  const test = lengthTest(path);
  if (!test) return true;
  return pick(test, some, !some);
}
