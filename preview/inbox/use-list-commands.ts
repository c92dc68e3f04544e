import type { PageCommand } from "../palette/commands.js";
import { changeView, useView } from "../state/view-store.js";

/**
 * Commands to move through a list whose rows have the ids `mail-ID`.
 *
 * @param ids In the order of the list.
 * @param what What a row is: `email`.
 */
export const useListCommands = (ids: readonly string[], what: string): readonly Omit<PageCommand, "group">[] => {
  const { mail = "" } = useView();
  const at = ids.indexOf(mail);
  const go = (to: number) => {
    const next = ids[Math.max(0, Math.min(ids.length - 1, to))];
    if (next === undefined) return;
    changeView({ mail: next }, "replace");
    document.getElementById(`mail-${next}`)?.scrollIntoView({ block: "nearest" });
  };
  return [
    { id: `next-${what}`, title: `Next ${what}`, keys: "j", run: () => go(at + 1) },
    { id: `previous-${what}`, title: `Previous ${what}`, keys: "k", run: () => go(at < 0 ? 0 : at - 1) },
    {
      id: `read-${what}`,
      title: `Move focus to the ${what}`,
      keys: "enter",
      run: () => (at < 0 ? go(0) : document.getElementById("mail")?.focus()),
    },
  ];
};
