import { useSyncExternalStore } from "react";

/** The pane that was last clicked or focused. Shortcuts and the palette act on it. */
let focused = 0;
const listeners = new Set<() => void>();

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Its index, limited to the number of open panes. */
export const focusedPane = (count: number): number => Math.min(focused, count - 1);

export const focusPane = (index: number): void => {
  focused = index;
  listeners.forEach((listener) => listener());
};

export const useFocusedPane = (count: number): number => useSyncExternalStore(subscribe, () => focusedPane(count));
