import { refuse, refuseKeys } from "./refusal.js";
import { rendering } from "./rendering.js";
import { represent, type Length, type Loop, type Path, type Position, type Repeat } from "./symbolic.js";

/** What `.map` gives over a symbolic list: to React, the body between the tags of a section. */
export function repeatValue(loop: Loop, body: unknown): object {
  const repeat: Repeat = { kind: "repeat", loop, body };
  return represent(repeat, {
    get(_target, name) {
      if (name === Symbol.iterator) return () => children(repeat)[Symbol.iterator]();
      if (name === Symbol.toPrimitive) return asPrimitive(repeat);
      if (name === "length") return lengthValue(loop.list);
      if (name === "map") return (work: MapCallback) => mapRepeat(repeat, work);
      return undefined;
    },
    ownKeys: () => refuseKeys(repeat),
  });
}

export type MapCallback = (item: unknown, index: unknown, list: unknown) => unknown;

export function mapRepeat({ loop, body }: Repeat, work: MapCallback): object {
  return repeatValue(loop, work(body, positionValue(loop), undefined));
}

export function positionValue(loop: Loop): object {
  return opaque({ kind: "position", loop });
}

export function lengthValue(of: Path): object {
  return opaque({ kind: "length", of });
}

function children({ loop, body }: Repeat): unknown[] {
  const now = rendering();
  return [now.token({ kind: "each", loop }), body, now.token({ kind: "close" })];
}

/** A value of which Mustache has nothing to print. */
function opaque(symbolic: Position | Length): object {
  return represent(symbolic, {
    get(_target, name) {
      if (name === Symbol.toPrimitive) return asPrimitive(symbolic);
      if (name === Symbol.iterator) return () => [asPrimitive(symbolic)("default")][Symbol.iterator]();
      return undefined;
    },
    ownKeys: () => refuseKeys(symbolic),
  });
}

const NOUNS = {
  repeat: "is a list made into a text",
  position: "prints an item's position, which Mustache doesn't know",
  length: "prints how many there are, which Mustache doesn't know",
} as const;

function asPrimitive(symbolic: Repeat | Position | Length): (hint: string) => string {
  return () => {
    refuse(symbolic, NOUNS[symbolic.kind]);
    return "";
  };
}
