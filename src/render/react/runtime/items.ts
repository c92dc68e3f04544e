import { refuse } from "./refusal.js";
import { rendering } from "./rendering.js";
import { isSame } from "./same.js";
import { isExample, isOnly } from "./kinds.js";
import type { Loop, Path } from "./symbolic.js";

/** The path of an arbitrary item of an iterated list. */
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

/** The item at an index of a list, from -1 backwards from its end; undefined if it is not a list, which is refused. */
export function itemAt(list: Path, index: number): Path | undefined {
  if (!isOnly(list, "list") || !Number.isInteger(index)) {
    refuse(list, "reads a character or an item by its index");
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
 * The result of a function for an arbitrary item of a list. It runs as if for two items, because effects on the next item
 * (`last = item.day`, `number += 1`) can't be known.
 */
export function forItem(list: Path, work: () => unknown): unknown {
  const now = rendering();
  const { site } = now;
  const [first, second] = now.twice(() => now.watching(work));
  const carried = [...first.changed].find(([what]) => second.changed.has(what));
  if (carried)
    return refuse(list, "changes a value that the iteration for the next item uses", {
      site: carried[1] ?? site,
      hint: HINT,
    });
  if (isSame(first.result, second.result)) return first.result;
  return refuse(list, CARRIED, { site, hint: HINT });
}

/** Refuses components that render differently for the next item. */
export function refuseCarried({ list }: Loop): void {
  refuse(list, CARRIED, { site: list.site, hint: HINT });
}

const CARRIED = "gives a different result for the next item, because the iteration for the first changed something";
const HINT = "In derive (variables.ts), add to each item what depends on the items before it.";
