import {
  BIGINT,
  BOOLEAN,
  DATE,
  kindOfResult,
  NUMBER,
  type ResultKind,
  STRING,
} from "../../../mustache/expression/results.js";
import { Shape } from "../../../mustache/shape.js";
import { shapeOfValue } from "./builtins.js";
import { rendering } from "./rendering.js";
import { symbolicOf } from "./strings.js";
import { isPlain } from "./symbolic.js";

/*
 * The types of values that a function passes on to its next call, as the callback of `.reduce` does. A placeholder for such
 * a value can only have a type that all of them certainly have.
 */

/** The type that a value certainly has; unknown if it may be missing. */
export function certainShape(value: unknown): Shape {
  const symbolic = symbolicOf(value);
  if (symbolic?.kind === "choice") return commonShape(certainShape(symbolic.yes), certainShape(symbolic.no));
  if (symbolic?.kind === "repeat" && !symbolic.isFlat) return Shape.listing(certainShape(symbolic.body));
  if (symbolic?.kind === "path" && symbolic.mayBeMissing) return Shape.UNKNOWN;
  if (!symbolic && Array.isArray(value)) return value.length > 0 ? Shape.tuple(value.map(certainShape)) : Shape.UNKNOWN;
  if (!symbolic && isPlain(value)) {
    return shapeOfMembers(Object.entries(value).map(([name, each]) => [name, certainShape(each)]));
  }
  const shape = shapeOfValue(value);
  return SIMPLE[kindOfResult(shape)] ?? shape;
}

export type Shapes = Readonly<Record<string, Shape>>;

/**
 * Does something with placeholders for values, of types that the values that it passes on have, too. It is done again with
 * wider types until that is so.
 *
 * @param first The types of the first values.
 */
export function withCertainShapes<Done extends { readonly after: Shapes }>(
  first: Shapes,
  work: (shapes: Shapes) => Done,
): Done & { readonly shapes: Shapes } {
  const { findings } = rendering();
  const found = findings.length;
  for (let shapes = first; ;) {
    const done = work(shapes);
    const common = Object.entries(shapes).map(
      ([name, shape]) => [name, commonShape(shape, done.after[name] ?? Shape.UNKNOWN)] as const,
    );
    if (common.every(([name, shape]) => shape === shapes[name])) return { ...done, shapes };
    findings.splice(found); // They may be wrong.
    shapes = Object.fromEntries(common);
  }
}

/** Without the values that a schema lists. */
const SIMPLE: Partial<Readonly<Record<ResultKind, Shape>>> = {
  text: STRING,
  number: NUMBER,
  flag: BOOLEAN,
  date: DATE,
  bigint: BIGINT,
};

/** The type of a placeholder for values of two certain types; the first one if it is that. */
function commonShape(one: Shape, other: Shape): Shape {
  if (one === other) return one;
  const [items, others] = [itemsOfTuple(one), itemsOfTuple(other)];
  if (items.length > 0 && items.length === others.length) {
    const common = items.map((item, index) => commonShape(item, others[index] ?? Shape.UNKNOWN));
    return common.every((item, index) => item === items[index]) ? one : Shape.tuple(common);
  }
  const [members, otherMembers] = [membersOf(one), new Map(membersOf(other))];
  if (members.length === 0 || members.length !== otherMembers.size) return Shape.UNKNOWN;
  const common = members.map(
    ([name, shape]) => [name, commonShape(shape, otherMembers.get(name) ?? Shape.UNKNOWN)] as const,
  );
  return common.every(([, shape], index) => shape === members[index]?.[1]) ? one : shapeOfMembers(common);
}

function itemsOfTuple(shape: Shape): Shape[] {
  const [{ prefixItems = [] } = {}] = shape.kinds;
  return prefixItems.map((_, index) => shape.items(index));
}

/** The members of an object, if it certainly has no others. */
function membersOf(shape: Shape): (readonly [string, Shape])[] {
  const isMade = shape.kinds.every(({ type, properties }) => type === "object" && !properties);
  return isMade ? shape.names.map((name) => [name, shape.member(name) ?? Shape.UNKNOWN]) : [];
}

function shapeOfMembers(members: readonly (readonly [string, Shape])[]): Shape {
  const isCertain = members.length > 0 && members.every(([, shape]) => shape.isKnown);
  return isCertain ? Shape.holding(Object.fromEntries(members)) : Shape.UNKNOWN;
}
