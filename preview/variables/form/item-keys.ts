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

/** Keys for the items of a list that move with them, so that folded items stay folded. */
export function useItemKeys(count: number) {
  const state = useRef<{ keys: number[]; last: number; firstNew: number }>(undefined);
  state.current ??= { keys: Array.from({ length: count }, (_, index) => index), last: count, firstNew: count };
  const own = state.current;
  while (own.keys.length < count) own.keys.push(own.last++);
  own.keys.length = count;
  return {
    at: (index: number): number | undefined => own.keys[index],
    /** Whether it was added after the list was first shown. */
    isNew: (index: number): boolean => (own.keys[index] ?? 0) >= own.firstNew,
    /** An undefined key in the result marks a new item. */
    change(make: (keys: readonly (number | undefined)[]) => (number | undefined)[]): void {
      own.keys = make(own.keys).map((key) => key ?? own.last++);
    },
  };
}
