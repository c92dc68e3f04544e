import { Shape } from "../../../mustache/shape.js";
import { refuseToCount, type Count } from "./counts.js";
import { pick } from "./choices.js";
import { forItem, itemOf } from "./items.js";
import { refusedText, refuseKeys } from "./refusal.js";
import { rendering } from "./rendering.js";
import { represent, type Length, type Loop, type Path, type Repeat, type Site, type Slice } from "./symbolic.js";

/** What `.map` gives over a symbolic list: to React, the body between the tags of a section. */
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

/** Does something for an item that a slice has. */
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

/** The whole of a list. */
export const WHOLE: Slice = { skipped: 0, limits: [] };

/** What is there for the items that a slice has, and for others nothing: in a text, the empty one. */
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

/** @param site Where it was seen. */
export function countValue(count: Count, site: Site | undefined = rendering().site): object {
  return opaque({ ...count, site });
}

function children({ loop, body, slice }: Repeat): unknown[] {
  const now = rendering();
  const item = withinSlice(loop, slice, body);
  const close = now.token({ kind: "close" });
  return [now.token({ kind: "each", loop }), item, close, now.token({ kind: "again", loop }), item, close];
}

/** Makes of a number that is not known what prints it: what computes needs this file, and so it says so itself. */
let printed: (count: unknown) => unknown = (count) => count;

export function printCountsAs(print: typeof printed): void {
  printed = print;
}

/** A number that is not known. */
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

/** A length prints as a variable that is added for it. */
function lengthToken({ of, site = of.site }: Length): string {
  const path: Path = { ...of, names: [...of.names, "[length]"], shape: NUMBER, ...(site && { site }) };
  return rendering().token({ kind: "value", path, raw: false });
}

const NUMBER = Shape.of({ type: "number" });

export const PROBLEMS = {
  repeat: "is a list made into a text",
  position: "prints an item's position, which Mustache doesn't know",
  length: "is arithmetic",
  several: "counts what comes of the items of a list",
  part: "prints how long a part of a list is",
} as const;

function asPrimitive(symbolic: Repeat | Count): (hint: string) => string {
  return (hint) => {
    if (symbolic.kind === "length" && isPrintable(symbolic) && hint !== "number") return lengthToken(symbolic);
    if (symbolic.kind === "repeat") return refusedText(symbolic, PROBLEMS.repeat);
    const isOfPart = symbolic.kind === "length" && symbolic.slice.limits.length > 0;
    const todo = "Let derive (variables.ts) compute it from the whole list's length, and use that here.";
    return refusedText(symbolic, PROBLEMS[isOfPart ? "part" : symbolic.kind], {
      site: symbolic.site,
      ...(isOfPart && { hint: todo }),
    });
  };
}
