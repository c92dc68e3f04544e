import { type RefObject, useRef } from "react";
import type { PanelImperativeHandle } from "react-resizable-panels";
import { kept } from "../state/kept.js";

/** Attributes of a panel, and a function that stores its size. */
interface KeptSize {
  readonly id: string;
  readonly panelRef: RefObject<PanelImperativeHandle | null>;
  readonly defaultSize: number;
  readonly groupResizeBehavior: "preserve-pixel-size";
  readonly keep: () => void;
}

const keptSize = (panel: string, otherwise: number): number => {
  const read = Number(kept.read(panel));
  return read > 0 ? read : otherwise;
};

/** The width of the template list, in pixels. The loading page uses it before there are any templates. */
export const sidebarSize = (): number => keptSize("sidebar", window.innerWidth < 1_200 ? 232 : 272);

/** A panel's size in pixels, as the user left it. */
export const useKeptSize = (panel: string, otherwise: number): KeptSize => {
  const panelRef = useRef<PanelImperativeHandle>(null);
  return {
    id: panel,
    panelRef,
    groupResizeBehavior: "preserve-pixel-size",
    defaultSize: keptSize(panel, otherwise),
    keep: () => {
      const handle = panelRef.current;
      if (handle && !handle.isCollapsed()) kept.write(panel, String(Math.round(handle.getSize().inPixels)));
    },
  };
};
