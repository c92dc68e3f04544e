import { useSyncExternalStore } from "react";

/** As on a phone: the email has all of the page, and what is beside it elsewhere lies over it. */
const narrow = window.matchMedia("(width < 640px)");

export const useIsNarrow = (): boolean => useSyncExternalStore(subscribe, () => narrow.matches);

const subscribe = (listener: () => void) => {
  narrow.addEventListener("change", listener);
  return () => narrow.removeEventListener("change", listener);
};
