import { useRef, useSyncExternalStore } from "react";
import type { PanelImperativeHandle } from "react-resizable-panels";
import { preferences } from "./stores.js";

const keptSize = (panel: string, otherwise: number): number => {
  const read = Number(preferences.read(panel));
  return read > 0 ? read : otherwise;
};

/** The width of the template list, in pixels. The loading page uses it before there are any templates. */
export const sidebarSize = (): number => keptSize("sidebar", window.innerWidth < 1_200 ? 232 : 272);

/** Attributes of a panel with its size in pixels, as the user left it, and a function that stores its size. */
export const useKeptSize = (panel: string, otherwise: number) => {
  const panelRef = useRef<PanelImperativeHandle>(null);
  return {
    id: panel,
    panelRef,
    groupResizeBehavior: "preserve-pixel-size" as const,
    defaultSize: keptSize(panel, otherwise),
    keep: () => {
      const handle = panelRef.current;
      if (handle && !handle.isCollapsed()) preferences.write(panel, String(Math.round(handle.getSize().inPixels)));
    },
  };
};

/** Phone-sized windows: the email takes the whole page, and the panels lie over it. */
const narrow = window.matchMedia("(width < 640px)");

export const useIsNarrow = (): boolean => useSyncExternalStore(subscribe, () => narrow.matches);

const subscribe = (listener: () => void) => {
  narrow.addEventListener("change", listener);
  return () => narrow.removeEventListener("change", listener);
};

/** Delay in ms, after which the first email is usually on the screen. */
const START_MS = 2_000;

const waiting: (() => Promise<void>)[] = [];

setTimeout(rest, START_MS);

/** Runs work once the page has loaded and is idle, one task at a time. */
export function whenIdle(work: () => Promise<void>): void {
  waiting.push(work);
}

function rest(): void {
  const [work] = waiting.splice(0, 1);
  if (work) inIdle(() => void work().finally(rest));
}

/** Runs work when the browser is idle, or after `patience` ms at the latest. */
export function inIdle(work: () => void, patience?: number): void {
  // Safari does not have it.
  if ("requestIdleCallback" in window) requestIdleCallback(work, patience === undefined ? {} : { timeout: patience });
  else setTimeout(work);
}
