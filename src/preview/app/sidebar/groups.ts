import { grouped } from "../state/grouped.js";

/** Names that begin alike, up to their first `-` or `_`; a name that shares that with none stands alone. */
export interface Group<Item> {
  /** Absent for a name that stands alone. */
  readonly prefix?: string;
  readonly items: readonly Item[];
}

/** A row has room for so many characters of a name beside what was found in it; what is longer loses its middle. */
const ROOM = 24;

/** So many words of a name; all of it where it has no more. */
const beginningOf = (name: string, words: number) =>
  new RegExp(`^(?:[^-_]+[-_]){${words - 1}}[^-_]+(?=[-_])`).exec(name)?.[0] ?? name;

/**
 * In the order of the names. `order` itself belongs to `order-shipped` and `order-confirmed`. Names that have no room below
 * their first word alone are grouped by as many as they share.
 */
export const groupsOf = <Item extends { readonly name: string }>(items: readonly Item[]): readonly Group<Item>[] => {
  const prefixes = new Map<Item, string>();
  const settle = (members: readonly Item[], words: number, around = "") => {
    for (const [prefix, sharing] of grouped(members, ({ name }) => beginningOf(name, words))) {
      const isLongAfter = (said: string) => sharing.some(({ name }) => name.length - said.length - 1 > ROOM);
      if (words > 1 && (sharing.length < 2 || !isLongAfter(around))) continue;
      for (const item of sharing) prefixes.set(item, prefix);
      if (isLongAfter(prefix)) settle(sharing, words + 1, prefix);
      const [left, ...others] = sharing.filter((item) => prefixes.get(item) === prefix);
      if (words > 1 && left && others.length === 0) prefixes.set(left, around);
    }
  };
  settle(items, 1);
  return [...grouped(items, (item) => prefixes.get(item) ?? item.name)].flatMap(
    ([prefix, group]): readonly Group<Item>[] => (group.length < 2 ? [{ items: group }] : [{ prefix, items: group }]),
  );
};
