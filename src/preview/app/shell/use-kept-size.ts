import { type RefObject, useRef } from "react";
import type { PanelImperativeHandle } from "react-resizable-panels";
import { kept } from "../state/kept.js";

interface KeptSize {
  readonly panelRef: RefObject<PanelImperativeHandle | null>;
  readonly defaultSize: number;
  readonly keep: () => void;
}

const keptSize = (panel: string, otherwise: number): number => {
  const read = Number(kept.read(panel));
  return read > 0 ? read : otherwise;
};

/** Of the templates' list: the page shows its place before there are any. */
export const sidebarSize = (): number => keptSize("sidebar", window.innerWidth < 1_200 ? 232 : 272);

/** A panel's size in pixels, as it was left. */
export const useKeptSize = (panel: string, otherwise: number): KeptSize => {
  const panelRef = useRef<PanelImperativeHandle>(null);
  return {
    panelRef,
    defaultSize: keptSize(panel, otherwise),
    keep: () => {
      const handle = panelRef.current;
      if (handle && !handle.isCollapsed()) kept.write(panel, String(Math.round(handle.getSize().inPixels)));
    },
  };
};
