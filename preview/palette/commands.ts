import { useEffect, useRef, useSyncExternalStore } from "react";

/**
 * All shortcuts. None is the beginning of another: if `w` were a shortcut, pressing `w d` would run it and then the one
 * for `d`.
 */
export const allKeys = [
  // The page.
  ...(["mod+k", "?", "g t", "g i", "s", "shift+l", "[", "]"] as const),
  // Lists of templates and emails.
  ...(["/", "j", "k", "shift+j", "shift+k", "enter", "delete", "shift+r"] as const),
  // What is shown and how.
  ...(["1", "2", "3", "4", "5", "i", "z", "mod+f"] as const),
  // Panes.
  ...([
    "l 1",
    "l d",
    "l p",
    "l 4",
    "l a",
    "l x",
    "d",
    "w w",
    "w d",
    "w t",
    "w p",
    "w s",
    "x",
    "r",
    "+",
    "-",
    "0",
  ] as const),
  // Findings.
  ...(["mod+j", "p", "g l", "g m", "g c", "g z", "g v", "g r", "n", "shift+n"] as const),
  // Variables.
  ...(["e", "shift+e", "mod+s", "mod+shift+s", "mod+z", "mod+shift+z", "shift+u"] as const),
] as const;

export type Keys = (typeof allKeys)[number];

/** An action of the page. It can be run from the palette or by its shortcut. */
export interface Command {
  readonly id: string;
  readonly title: string;
  readonly group: string;
  /** For example `mod+k`, `g i` (one after the other) or `?`. `mod` is ⌘ on a Mac and Ctrl elsewhere. */
  readonly keys?: Keys;
  /** Whether holding the keys down runs the command only once. */
  readonly runsOnce?: boolean;
  readonly run: () => void;
}

const mounted = new Map<symbol, readonly Command[]>();
const listeners = new Set<() => void>();
let all: readonly Command[] = [];

const renew = () => {
  all = [...mounted.values()].flat();
  listeners.forEach((listener) => listener());
};

export const currentCommands = (): readonly Command[] => all;

export const useAllCommands = (): readonly Command[] => useSyncExternalStore(subscribe, currentCommands);

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Offers commands while the component is mounted. `run` may be a different function at every render. */
export const useCommands = (commands: readonly Command[]): void => {
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
