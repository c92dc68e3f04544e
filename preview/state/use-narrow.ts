import { useSyncExternalStore } from "react";

/** Phone-sized windows: the email takes the whole page, and the panels lie over it. */
const narrow = window.matchMedia("(width < 640px)");

export const useIsNarrow = (): boolean => useSyncExternalStore(subscribe, () => narrow.matches);

const subscribe = (listener: () => void) => {
  narrow.addEventListener("change", listener);
  return () => narrow.removeEventListener("change", listener);
};
