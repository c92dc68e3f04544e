import type { TemplateSummary } from "../../src/preview/contract.js";
import { groupsOf } from "./groups.js";
import type { Hit } from "./search.js";

/** A row of the list, from top to bottom. */
export type Row =
  | {
      readonly kind: "group";
      readonly key: string;
      readonly prefix: string;
      readonly count: number;
      readonly isOpen: boolean;
      readonly level: 1;
    }
  | {
      readonly kind: "template";
      readonly key: string;
      readonly hit: Hit;
      readonly level: 1 | 2;
      /** The beginning of its name that its group's row already shows. */
      readonly prefix: string;
    }
  | {
      readonly kind: "fixture";
      readonly key: string;
      readonly template: string;
      readonly name: string;
      readonly isBroken: boolean;
      readonly level: 2 | 3;
    };

/** The selected template's fixtures follow it. A closed group shows only the selected template. */
export const rowsOf = (
  hits: readonly Hit[],
  { chosen, closed }: { readonly chosen: string | undefined; readonly closed: ReadonlySet<string> },
): readonly Row[] => {
  const rowsOfTemplate = (hit: Hit, level: 1 | 2, prefix = ""): readonly Row[] => {
    const { name } = hit.template;
    return [
      { kind: "template", key: name, hit, level, prefix },
      ...(name === chosen ? fixtureRows(hit.template, level) : []),
    ];
  };
  const named = hits.map((hit) => ({ name: hit.template.name, hit }));
  return groupsOf(named).flatMap(({ prefix, items }): readonly Row[] => {
    if (prefix === undefined) return items.flatMap(({ hit }) => rowsOfTemplate(hit, 1));
    const isOpen = !closed.has(prefix);
    const shown = isOpen ? items : items.filter(({ name }) => name === chosen);
    return [
      { kind: "group", key: `${prefix}/`, prefix, count: items.length, isOpen, level: 1 },
      ...shown.flatMap(({ name, hit }) =>
        rowsOfTemplate(hit, 2, name === prefix ? "" : name.slice(0, prefix.length + 1)),
      ),
    ];
  });
};

const fixtureRows = ({ name, fixtures, brokenFixtures }: TemplateSummary, level: 1 | 2): readonly Row[] =>
  fixtures.map((fixture) => ({
    kind: "fixture",
    key: `${name}/${fixture}`,
    template: name,
    name: fixture,
    isBroken: brokenFixtures?.includes(fixture) ?? false,
    level: level === 1 ? 2 : 3,
  }));
