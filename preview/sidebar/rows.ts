import type { TemplateSummary } from "../../src/preview/contract.js";
import type { Hit } from "./search.js";
import { grouped } from "../state/counts.js";

/** A row of the list, from top to bottom. */
export type SidebarRow = { readonly id: string } & (
  | {
      readonly kind: "group";
      readonly prefix: string;
      readonly count: number;
      readonly isOpen: boolean;
      readonly level: 1;
    }
  | {
      readonly kind: "template";
      readonly hit: Hit;
      readonly level: 1 | 2;
      /** The beginning of its name that its group's row already shows. */
      readonly prefix: string;
    }
  | {
      readonly kind: "fixture";
      readonly template: string;
      readonly name: string;
      readonly isBroken: boolean;
      readonly level: 2 | 3;
    }
);

/** The selected template's fixtures follow it. A closed group shows only the selected template. */
export const rowsOf = (
  hits: readonly Hit[],
  { chosen, closed }: { readonly chosen: string | undefined; readonly closed: ReadonlySet<string> },
): readonly SidebarRow[] => {
  const rowsOfTemplate = (hit: Hit, level: 1 | 2, prefix = ""): readonly SidebarRow[] => {
    const { name } = hit.template;
    return [
      { kind: "template", id: name, hit, level, prefix },
      ...(name === chosen ? fixtureRows(hit.template, level) : []),
    ];
  };
  const named = hits.map((hit) => ({ name: hit.template.name, hit }));
  return groupsOf(named).flatMap(({ prefix, items }): readonly SidebarRow[] => {
    if (prefix === undefined) return items.flatMap(({ hit }) => rowsOfTemplate(hit, 1));
    const isOpen = !closed.has(prefix);
    const shown = isOpen ? items : items.filter(({ name }) => name === chosen);
    return [
      { kind: "group", id: `${prefix}/`, prefix, count: items.length, isOpen, level: 1 },
      ...shown.flatMap(({ name, hit }) =>
        rowsOfTemplate(hit, 2, name === prefix ? "" : name.slice(0, prefix.length + 1)),
      ),
    ];
  });
};

const fixtureRows = ({ name, fixtures, brokenFixtures }: TemplateSummary, level: 1 | 2): readonly SidebarRow[] =>
  fixtures.map((fixture) => ({
    kind: "fixture",
    id: `${name}/${fixture}`,
    template: name,
    name: fixture,
    isBroken: brokenFixtures?.includes(fixture) ?? false,
    level: level === 1 ? 2 : 3,
  }));

/**
 * Names with the same beginning, up to their first `-` or `_`. A name that shares its beginning with no other has no
 * group.
 */
export interface NameGroup<Item> {
  /** Undefined for a name without a group. */
  readonly prefix?: string;
  readonly items: readonly Item[];
}

/**
 * Maximum number of characters of a name that fit in a row next to its findings. Longer names are cut in the middle.
 */
const ROOM = 24;

/** The first words of a name, or the whole name if it has no more. */
const beginningOf = (name: string, words: number) =>
  new RegExp(`^(?:[^-_]+[-_]){${words - 1}}[^-_]+(?=[-_])`).exec(name)?.[0] ?? name;

/**
 * Groups names, keeping their order. `order` belongs to the group of `order-shipped` and `order-confirmed`. If names
 * are too long for a row even without their first word, they are grouped by as many words as they share.
 */
export const groupsOf = <Item extends { readonly name: string }>(
  items: readonly Item[],
): readonly NameGroup<Item>[] => {
  const prefixes = new Map<Item, string>();
  const settle = (members: readonly Item[], words: number, parent = "") => {
    for (const [prefix, sharing] of grouped(members, ({ name }) => beginningOf(name, words))) {
      const isLongAfter = (beginning: string) => sharing.some(({ name }) => name.length - beginning.length - 1 > ROOM);
      if (words > 1 && (sharing.length < 2 || !isLongAfter(parent))) continue;
      for (const item of sharing) prefixes.set(item, prefix);
      if (isLongAfter(prefix)) settle(sharing, words + 1, prefix);
      const [left, ...others] = sharing.filter((item) => prefixes.get(item) === prefix);
      if (words > 1 && left && others.length === 0) prefixes.set(left, parent);
    }
  };
  settle(items, 1);
  return [...grouped(items, (item) => prefixes.get(item) ?? item.name)].flatMap(
    ([prefix, group]): readonly NameGroup<Item>[] =>
      group.length < 2 ? [{ items: group }] : [{ prefix, items: group }],
  );
};
