import { refuse } from "./refusal.js";
import { rendering } from "./rendering.js";
import { isSame } from "./same.js";
import { isExample, isOnly } from "./kinds.js";
import type { Loop, Path } from "./symbolic.js";

/** Whatever item of a list that is gone through. */
export function itemOf(loop: Loop): Path {
  const { shape, sure, stated } = loop.list;
  const item = shape.items();
  return {
    kind: "path",
    loop,
    names: [],
    shape: item,
    optional: false,
    sure: sure && !isExample(item),
    stated: stated && !isExample(item),
  };
}

/** The item at one place of a list, counted from -1 at its end; undefined where it is no list, which is refused. */
export function itemAt(list: Path, index: number): Path | undefined {
  if (!isOnly(list, "list") || !Number.isInteger(index)) {
    refuse(list, "takes a letter or an item by its number");
    return undefined;
  }
  const { shape, names, loop } = list;
  const item = shape.items(index < 0 ? undefined : index);
  return {
    kind: "path",
    names: [...names, `[${index}]`],
    shape: item,
    optional: true,
    sure: false,
    stated: list.stated && !isExample(item),
    ...(loop && { loop }),
  };
}

/**
 * What a function gives for whatever item of a list. It is run as if for two of them, because what it leaves for the next
 * one (`last = item.day`, `number += 1`) can't be known.
 */
export function forItem(list: Path, work: () => unknown): unknown {
  const now = rendering();
  const { site } = now;
  const [first, second] = now.twice(() => now.watching(work));
  const carried = [...first.changed].find(([what]) => second.changed.has(what));
  if (carried) return refuse(list, "changes what the next item's run finds", { site: carried[1] ?? site, hint: HINT });
  if (isSame(first.result, second.result)) return first.result;
  return refuse(list, CARRIED, { site, hint: HINT });
}

/** Refuses what components come to for one item and not for the next. */
export function refuseCarried({ list }: Loop): void {
  refuse(list, CARRIED, { site: list.site, hint: HINT });
}

const CARRIED = "gives something else for one item than for the next, because of what the first has changed";
const HINT = "Let derive (variables.ts) put what depends on the items before into each item.";
