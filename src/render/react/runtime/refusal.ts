import { isOnly } from "./kinds.js";
import { nameOf, rendering } from "./rendering.js";
import { represent, represented, type Path, type Refused, type Site, type Symbolic } from "./symbolic.js";

export interface RefusalOptions {
  /** Defaults to the place of the last operation of user code. */
  readonly site?: Site | undefined;
  readonly hint?: string;
}

/**
 * Records that a component needs more than Mustache can do, and returns a value with which its code continues, so that its other
 * problems are found too. Throwing isn't possible, because a `try` in the component could swallow the error.
 */
export function refuse(
  about: Symbolic | undefined,
  problem: string,
  { site = rendering().site, hint }: RefusalOptions = {},
): object {
  if (about?.kind === "refused") return REFUSED;
  const path = about && pathIn(about);
  const { calls } = rendering();
  rendering().report({
    problem,
    ...(site && { site }),
    ...(calls.length > 0 && { calls: [...calls] }),
    ...(path && { variable: { ...nameOf(path), ...positionOf(about, path) } }),
    ...(hint !== undefined && { hint }),
  });
  return REFUSED;
}

function positionOf(about: Symbolic, { loop }: Path): { isPosition?: true; isOfValues?: true } {
  if (about.kind !== "position" || !loop) return {};
  const isOfValues = isOnly({ ...loop.list, shape: loop.list.shape.items() }, "string", "number", "boolean");
  return { isPosition: true, ...(isOfValues && { isOfValues }) };
}

/** For code that converts it to a string. */
export function refusedString(about: Symbolic, problem: string, options?: RefusalOptions): string {
  refuse(about, problem, options);
  return "";
}

/** For the `ownKeys` trap: spread, `Object.keys` and `for … in` in package code. */
export function refuseKeys(symbolic: Symbolic): string[] {
  refuse(symbolic, "is destructured or enumerated by package code");
  return [];
}

/** The variable from which a symbolic value originates. */
function pathIn(symbolic: Symbolic): Path | undefined {
  if (symbolic.kind === "path") return symbolic;
  if (symbolic.kind === "choice") return symbolic.test.path;
  if (symbolic.kind === "repeat") return symbolic.loop.list;
  if (symbolic.kind === "rows") {
    const [added] = [...symbolic.added].flatMap((each) => represented(each) ?? []);
    return added && pathIn(added);
  }
  if (symbolic.kind === "position") return { ...symbolic.loop.list, loop: symbolic.loop, names: [] };
  return symbolic.kind === "length" || symbolic.kind === "several" || symbolic.kind === "sliced"
    ? symbolic.of
    : undefined;
}

const refused: Refused = { kind: "refused" };

/** Every operation on it returns it again, and it prints nothing. */
export const REFUSED: object = represent(
  refused,
  {
    get(_target, name, proxy) {
      if (name === Symbol.toPrimitive) return () => "";
      if (name === Symbol.iterator) return () => [][Symbol.iterator]();
      return typeof name === "symbol" || name === "$$typeof" || name === "then" ? undefined : proxy;
    },
    set: () => true,
    apply: () => REFUSED,
    construct: () => REFUSED,
  },
  function refusedValue() {},
);
