import { grouped } from "../state/grouped.js";

/** Names that begin alike, up to their first `-` or `_`; a name that shares that with none stands alone. */
export interface Group<Item> {
  /** Absent for a name that stands alone. */
  readonly prefix?: string;
  readonly items: readonly Item[];
}

const prefixOf = (name: string) => /^[^-_]+(?=[-_])/.exec(name)?.[0];

/** In the order of the names. `order` itself belongs to `order-shipped` and `order-confirmed`. */
export const groupsOf = <Item extends { readonly name: string }>(items: readonly Item[]): readonly Group<Item>[] => {
  const shared = grouped(items, ({ name }) => prefixOf(name) ?? name);
  const seen = new Set<string>();
  return items.flatMap((item): readonly Group<Item>[] => {
    const prefix = prefixOf(item.name) ?? item.name;
    const group = shared.get(prefix) ?? [];
    if (group.length < 2) return [{ items: [item] }];
    if (seen.has(prefix)) return [];
    seen.add(prefix);
    return [{ prefix, items: group }];
  });
};
