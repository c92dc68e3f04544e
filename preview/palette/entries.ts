import { grouped } from "../state/grouped.js";
import { useMails, useProject } from "../state/data.js";
import { changeView } from "../state/view-store.js";
import { useAllCommands } from "./commands.js";
import { type Match, matchOf } from "./match.js";

/** Something to choose in the palette. */
export interface Entry {
  readonly id: string;
  readonly group: string;
  readonly title: string;
  /** Shown next to the title in a lighter colour. */
  readonly note?: string;
  readonly keys?: string;
  readonly run: () => void;
}

export interface Found extends Entry {
  readonly match: Match;
}

const mostShown = 40;

/** Everything in the page that can be opened or run. */
export const useEntries = (): readonly Entry[] => {
  const { templates } = useProject();
  const mails = useMails();
  const commands = useAllCommands();
  return [
    ...templates.map(({ name, subject }) => ({
      id: `template ${name}`,
      group: "Templates",
      title: name,
      note: subject,
      run: () => changeView({ screen: "template", template: name }),
    })),
    // The palette is already open.
    ...commands.filter(({ id }) => id !== "palette"),
    ...templates.flatMap(({ name, fixtures }) =>
      fixtures.map((fixture) => ({
        id: `fixture ${name} ${fixture}`,
        group: "Fixtures",
        title: `${name} / ${fixture}`,
        run: () => changeView({ screen: "template", template: name, fixture }, "push"),
      })),
    ),
    ...mails.map(({ id, subject, to }) => ({
      id: `mail ${id}`,
      group: "Inbox",
      title: subject === "" ? "(no subject)" : subject,
      note: to.join(", "),
      run: () => changeView({ screen: "inbox", mail: id }),
    })),
  ];
};

/** Best matches first, grouped. Without a query: some templates and all commands. */
export const findEntries = (entries: readonly Entry[], query: string): readonly Found[] => {
  const results = entries.flatMap((entry) => {
    const match = matchOf(query, entry.title);
    return match ? [{ ...entry, match }] : [];
  });
  if (query.trim() === "")
    return ["Templates", "Fixtures", "Inbox"].reduce<readonly Found[]>(
      (all, group) => withoutMost(all, group, group === "Templates" ? 8 : 0),
      results,
    );
  const score = ({ group, match }: Found) => match.score + (group === "Templates" ? 10 : group === "Fixtures" ? 5 : 0);
  const best = results.sort((a, b) => score(b) - score(a)).slice(0, mostShown);
  return [...grouped(best, ({ group }) => group).values()].flat();
};

const withoutMost = (results: readonly Found[], group: string, most: number) => {
  const kept = new Set(results.filter((entry) => entry.group === group).slice(0, most));
  return results.filter((entry) => entry.group !== group || kept.has(entry));
};
