import { useEffect, useRef } from "react";
import { ObservableStore } from "../state/stores.js";

/**
 * All shortcuts. None is the beginning of another: if `w` were a shortcut, pressing `w d` would run it and then the one
 * for `d`.
 */
export const allKeys = [
  // The page.
  ...(["mod+k", "?", "g t", "g i", "g s", "g f", "g o", "s", "shift+l", "[", "]"] as const),
  // Lists of templates and emails.
  ...(["/", "j", "k", "shift+j", "shift+k", "enter", "delete", "shift+r"] as const),
  // What is shown and how.
  ...(["1", "2", "3", "4", "5", "i", "z", "mod+f"] as const),
  // Panes.
  ...(["l 1", "l d", "l p", "l 4", "l a", "l x", "w w", "w d", "w t", "w p", "w s"] as const),
  ...(["d", "x", "r", "+", "-", "0"] as const),
  // Findings.
  ...(["mod+j", "p", "g l", "g m", "g c", "g z", "g v", "g r", "n", "shift+n"] as const),
  // Variables.
  ...(["e", "shift+e", "mod+s", "mod+shift+s", "mod+z", "mod+shift+z", "shift+u"] as const),
] as const;

export type ShortcutKeys = (typeof allKeys)[number];

/** An action of the page. It can be run from the palette or by its shortcut. */
export interface PageCommand {
  readonly id: string;
  readonly title: string;
  readonly group: string;
  /** For example `mod+k`, `g i` (one after the other) or `?`. `mod` is ⌘ on a Mac and Ctrl elsewhere. */
  readonly keys?: ShortcutKeys;
  /** Whether holding the keys down runs the command only once. */
  readonly runsOnce?: boolean;
  readonly run: () => void;
}

const mounted = new Map<symbol, readonly PageCommand[]>();
const all = new ObservableStore<readonly PageCommand[]>([]);

const renew = () => all.set([...mounted.values()].flat());

export const currentCommands = (): readonly PageCommand[] => all.get();

export const useAllCommands = (): readonly PageCommand[] => all.use();

/** The commands of one group, without those that are not offered now. */
export const inGroup = (
  group: string,
  commands: readonly (Omit<PageCommand, "group"> | false | undefined)[],
): readonly PageCommand[] => commands.flatMap((command) => (command ? [{ ...command, group }] : []));

/** Offers commands while the component is mounted. `run` may be a different function at every render. */
export const useCommands = (commands: readonly PageCommand[]): void => {
  const latest = useRef(commands);
  useEffect(() => {
    latest.current = commands;
  });
  const shape = JSON.stringify(commands.map(({ id, title, group, keys }) => [id, title, group, keys]));
  useEffect(() => {
    const key = Symbol(shape);
    mounted.set(
      key,
      latest.current.map((command) => ({
        ...command,
        run: () => latest.current.find(({ id }) => id === command.id)?.run(),
      })),
    );
    renew();
    return () => {
      mounted.delete(key);
      renew();
    };
  }, [shape]);
};
