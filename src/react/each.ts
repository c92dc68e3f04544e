import type { ReactNode } from "react";
import { compiling, understands } from "./compiling.js";

export interface EachProps<Item> {
  /** An absent list shows nothing. */
  readonly of: readonly Item[] | null | undefined;
  /** What to show for an item; use the index only as a key. */
  readonly children: (item: Item, index: number) => ReactNode;
}

/**
 * Shows something for each item of a list: `.map` as an element.
 *
 * @example
 * <Each of={order.items}>{(item) => <LineItem name={item.name} price={item.price} />}</Each>
 */
export const Each = understands(<Item>({ of, children }: EachProps<Item>): ReactNode => {
  if (of === null || of === undefined) return null;
  return compiling()?.receiver(of, "map").map(children) ?? of.map((item, index) => children(item, index));
});
