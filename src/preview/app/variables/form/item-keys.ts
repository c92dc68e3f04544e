import { useRef } from "react";

export function added<Item>(list: readonly Item[], at: number, item: Item): Item[] {
  return list.toSpliced(at, 0, item);
}

export function removed<Item>(list: readonly Item[], at: number): Item[] {
  return list.toSpliced(at, 1);
}

export function moved<Item>(list: readonly Item[], from: number, to: number): Item[] {
  return list.toSpliced(from, 1).toSpliced(to, 0, ...list.slice(from, from + 1));
}

/** Names for the items of a list, which go with them when they are moved: what is folded stays folded. */
export function useItemKeys(count: number) {
  const state = useRef<{ keys: number[]; last: number; firstNew: number }>(undefined);
  state.current ??= { keys: Array.from({ length: count }, (_, index) => index), last: count, firstNew: count };
  const own = state.current;
  while (own.keys.length < count) own.keys.push(own.last++);
  own.keys.length = count;
  return {
    at: (index: number): number | undefined => own.keys[index],
    /** Whether it came after the list was first shown. */
    isNew: (index: number): boolean => (own.keys[index] ?? 0) >= own.firstNew,
    /** Where the change leaves undefined, there is a new item. */
    change(make: (keys: readonly (number | undefined)[]) => (number | undefined)[]): void {
      own.keys = make(own.keys).map((key) => key ?? own.last++);
    },
  };
}
