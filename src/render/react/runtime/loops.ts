import { Shape } from "../../../mustache/shape.js";
import { refuseToCount, type Count } from "./counts.js";
import { pick } from "./choices.js";
import { forItem, itemOf } from "./items.js";
import { refusedString, refuseKeys } from "./refusal.js";
import { rendering } from "./rendering.js";
import { represent, type Length, type Loop, type Path, type Repeat, type Site, type Slice } from "./symbolic.js";

/** The result of `.map` on a symbolic list: React sees the body between the tags of a section. */
export function repeatValue(repeat: Repeat): object {
  return represent(repeat, {
    get(_target, name) {
      if (name === Symbol.iterator) return () => children(repeat)[Symbol.iterator]();
      if (name === Symbol.toPrimitive) return asPrimitive(repeat);
      if (name === "length") return lengthOfRepeat(repeat);
      if (name === "map") return (work: MapCallback) => mapRepeat(repeat, work);
      return undefined;
    },
    ownKeys: () => refuseKeys(repeat),
  });
}

export type MapCallback = (item: unknown, index: unknown, list: unknown) => unknown;

export function isCallback(value: unknown): value is MapCallback {
  return typeof value === "function";
}

export function mapRepeat(repeat: Repeat, work: MapCallback): object {
  const { loop, body, slice } = repeat;
  return repeatValue({
    ...repeat,
    body: withinLimits(loop, slice, () =>
      forItem(loop.list, () => work(body, positionValue(loop, -slice.skipped), repeatValue(repeat))),
    ),
  });
}

/** Does something for an item in a slice. */
export function withinLimits(loop: Loop, { limits }: Slice, work: () => unknown): unknown {
  const { facts } = rendering();
  const limited = limits.reduceRight(
    (inner, { standing, answer }) =>
      () =>
        facts.assuming({ path: itemOf(loop), question: standing }, answer, inner),
    work,
  );
  return limited();
}

export function lengthOfRepeat({ loop, slice, isFlat }: Repeat): unknown {
  return isFlat ? refuseToCount(loop.list) : lengthValue(loop.list, slice);
}

/** The whole list. */
export const WHOLE: Slice = { skipped: 0, limits: [] };

/** The value for items in a slice, and nothing for others (in a string, the empty string). */
export function withinSlice(loop: Loop, { limits }: Slice, value: unknown, nothing: "" | null = null): unknown {
  return limits.reduceRight((inner, { standing, answer }) => {
    const test = { path: itemOf(loop), question: standing };
    return answer ? pick(test, inner, nothing) : pick(test, nothing, inner);
  }, value);
}

export function positionValue(loop: Loop, offset = 0): object {
  return countValue({ kind: "position", loop, offset });
}

export function lengthValue(of: Path, slice = WHOLE): object {
  return countValue({ kind: "length", of, slice, offset: 0 });
}

/** @param site Where it is used. */
export function countValue(count: Count, site: Site | undefined = rendering().site): object {
  return opaque({ ...count, site });
}

function children({ loop, body, slice }: Repeat): unknown[] {
  const now = rendering();
  const item = withinSlice(loop, slice, body);
  const close = now.token({ kind: "close" });
  return [now.token({ kind: "each", loop }), item, close, now.token({ kind: "again", loop }), item, close];
}

/** How to print a symbolic number. Set by another module, because computing depends on this one. */
let printed: (count: unknown) => unknown = (count) => count;

export function printCountsAs(print: typeof printed): void {
  printed = print;
}

/** A number that is only known when an email is filled. */
function opaque(symbolic: Count): object {
  return represent(symbolic, {
    get(_target, name, proxy) {
      if (name !== Symbol.toPrimitive && name !== Symbol.iterator) return undefined;
      const value = printed(proxy);
      const primitive = (hint: string): string => (value === proxy ? asPrimitive(symbolic)(hint) : String(value));
      if (name === Symbol.toPrimitive) return primitive;
      return () => [value === proxy ? primitive("default") : value][Symbol.iterator]();
    },
    ownKeys: () => refuseKeys(symbolic),
  });
}

function isPrintable({ offset, slice }: Length): boolean {
  return offset === 0 && slice.limits.length === 0;
}

/** A length prints as a variable added for it. */
function lengthToken({ of, site = of.site }: Length): string {
  const path: Path = { ...of, names: [...of.names, "[length]"], shape: NUMBER, ...(site && { site }) };
  return rendering().token({ kind: "value", path, raw: false });
}

const NUMBER = Shape.of({ type: "number" });

export const PROBLEMS = {
  repeat: "converts a list to a string",
  position: "prints an item's position, which Mustache doesn't know",
  length: "is arithmetic",
  several: "counts rows made from a list",
  part: "prints the length of a part of a list",
} as const;

function asPrimitive(symbolic: Repeat | Count): (hint: string) => string {
  return (hint) => {
    if (symbolic.kind === "length" && isPrintable(symbolic) && hint !== "number") return lengthToken(symbolic);
    if (symbolic.kind === "repeat") return refusedString(symbolic, PROBLEMS.repeat);
    const isLengthOfPart = symbolic.kind === "length" && symbolic.slice.limits.length > 0;
    const todo = "Compute it from the whole list's length in derive (variables.ts), and use that here.";
    return refusedString(symbolic, PROBLEMS[isLengthOfPart ? "part" : symbolic.kind], {
      site: symbolic.site,
      ...(isLengthOfPart && { hint: todo }),
    });
  };
}
