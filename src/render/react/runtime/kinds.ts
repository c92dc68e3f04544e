import { BOOLEAN } from "../../../mustache/expression/results.js";
import { ifMissing, lift, pick, select } from "./choices.js";
import type { Expression } from "./expression.js";
import { expressionOf } from "./expressions.js";
import { resultPath } from "./result-variables.js";
import { provide } from "./later.js";
import { valueOfPath } from "./paths.js";
import { refuse, rendering } from "./rendering.js";
import { symbolicOf } from "./strings.js";
import { type AccessPath, isNarrowedHere, represented, type Symbolic, type Test, type TypeKind } from "./symbolic.js";

/*
 * A variable may have one of several types: `string | string[]`. Tests of its type, such as `Array.isArray(value)`, are
 * choices; in each case, the variable has only the types that the test leaves.
 */

/** A variable with the types that are left by what is assumed. */
function narrowed(path: AccessPath): AccessPath {
  const { facts } = rendering();
  if (facts.about(path).length === 0) return path;
  const types = path.types.filter((type) => facts.known(typeTest(path, [type])) !== false);
  if (types.length === 0 || types.length === path.types.length) return path;
  return path.narrowedTo(types, facts.known(path.presence) === true);
}

/** A value for use outside of what is assumed. */
function pinned(value: unknown): unknown {
  const path = isNarrowedHere(value) ? represented(value) : undefined;
  return path?.kind === "path" ? valueOfPath(path) : value;
}

provide({ narrowed, pinned, byBeingList });

function typeTest(path: AccessPath, types: readonly TypeKind[]): Test {
  return { path, question: { kind: "type", types } };
}

/** Whether a variable has one of these types. */
function hasType(path: AccessPath, types: readonly TypeKind[]): unknown {
  if (path.isOnly(...types)) return !path.mayBeMissing || pick(path.presence, true, false);
  if (!types.some((type) => path.kinds.has(type))) return false;
  const { site } = rendering();
  const problem = "tests the type of a variable";
  const of = expressionOf(valueOfPath(path));
  if (!of) return refuse(path, problem);
  const computed = rendering().rehearse(() => resultPath(typeExpression(of, types), { problem, shape: BOOLEAN, site }));
  return pick({ ...typeTest(path, types), computed }, true, false);
}

function typeExpression(of: Expression, [type, ...others]: readonly TypeKind[]): Expression {
  if (type === "list" && others.length === 0)
    return { kind: "call", callee: { kind: "name", name: "Array.isArray" }, args: [of] };
  if (type === "date" && others.length === 0) return compared(of, "instanceof", { kind: "name", name: "Date" });
  const name = nameOf(type);
  const is = compared({ kind: "unary", operator: "typeof", of }, "===", { kind: "value", value: name });
  return name === "object" ? compared(compared(of, "!=", { kind: "value", value: null }), "&&", is) : is;
}

function compared(left: Expression, operator: string, right: Expression): Expression {
  return { kind: "binary", operator, left, right };
}

/** What `typeof` returns for a value of a type. */
function nameOf(type: TypeKind | undefined): string {
  return type === "list" || type === "date" || type === undefined ? "object" : type;
}

/** `typeof value`; undefined if its type is unknown. */
export function typeName(value: unknown): unknown {
  const symbolic = symbolicOf(value);
  if (typeof value === "string") return "string";
  if (symbolic?.kind === "repeat") return "object";
  if (symbolic?.kind !== "path" || symbolic.isUntyped) return undefined;
  const path = symbolic;
  const named = (names: readonly string[]): unknown => {
    const [name, ...others] = names;
    const types = path.types.filter((type) => nameOf(type) === name);
    return others.length === 0 ? name : lift(hasType(path, types), (is) => (is === true ? name : named(others)));
  };
  const present = (): unknown => named([...new Set(path.types.map(nameOf))]);
  if (!path.mayBeMissing) return present();
  return select(path.presence, present, () => ifMissing(path, "object", () => "undefined"));
}

/** `Array.isArray(value)`; undefined if its type is unknown. */
export function isList(symbolic: Symbolic | undefined): unknown {
  if (symbolic?.kind === "repeat" || symbolic?.kind === "sliced" || symbolic?.kind === "rows") return true;
  return symbolic?.kind === "path" && !symbolic.isUntyped ? hasType(symbolic, ["list"]) : undefined;
}

/** `value instanceof type`; undefined if it is unknown. */
export function isInstance(value: unknown, type: unknown): unknown {
  const symbolic = symbolicOf(value);
  if (type === Array) return isList(symbolic);
  return type === Date && symbolic?.kind === "path" && !symbolic.isUntyped ? hasType(symbolic, ["date"]) : undefined;
}

/** A variable that may be a list as a choice between a list and something else. */
function byBeingList(value: unknown): unknown {
  return lift(value, (each) => {
    const path = symbolicOf(each);
    if (path?.kind !== "path" || path.isUntyped || !path.mayBe("list") || path.isOnly("list")) return each;
    return lift(hasType(path, ["list"]), () => each);
  });
}
