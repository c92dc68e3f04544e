import { useSyncExternalStore } from "react";
import { panesScroll } from "./scroll-group.js";

/** How the reader works, not what is shown: so it is not in the address. */
interface Settings {
  readonly isFitted: boolean;
  readonly scrollsTogether: boolean;
  readonly isInspecting: boolean;
  /** Absent: as the project remembers it. */
  readonly showsRemoteImages?: boolean;
}

let settings: Settings = { isFitted: true, scrollsTogether: true, isInspecting: false };
const listeners = new Set<() => void>();

export function useSettings(): Settings {
  return useSyncExternalStore(subscribe, () => settings);
}

export function changeSettings(change: Partial<Settings>): void {
  settings = { ...settings, ...change };
  panesScroll.isTogether = settings.scrollsTogether;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
