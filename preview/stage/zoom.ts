import { useLayoutEffect } from "react";
import { paneZoom } from "../state/view.js";
import { changeView, currentView } from "../state/view-store.js";
import { announce } from "../ui/notice.js";
import { focusedPane } from "./focused-pane.js";

/** In per cent, the same steps as in browsers. */
const LEVELS = [paneZoom.least, 33, 50, 67, 75, 90, 100, 110, 125, 150, 175, 200, 250, 300, paneZoom.most];

/** Each pane's current zoom in per cent, by its index. Panes that are scaled to fit can differ. */
const shown = new Map<number, number>();

export function useZoomedPane(index: number, scale: number): void {
  useLayoutEffect(() => {
    shown.set(index, Math.round(scale * 100));
  }, [index, scale]);
}

/** Starts from the focused pane's current zoom. */
export function zoomIn(): void {
  const now = currentZoom();
  zoomTo(LEVELS.find((level) => level > now) ?? paneZoom.most);
}

export function zoomOut(): void {
  const now = currentZoom();
  zoomTo(LEVELS.findLast((level) => level < now) ?? paneZoom.least);
}

/** Scales panes to fit, which is the default. */
export function resetZoom(): void {
  changeView({ zoom: undefined });
}

export function toggleFit(): void {
  changeView({ zoom: currentView().zoom === undefined ? 100 : undefined });
}

function currentZoom(): number {
  const { zoom, panes } = currentView();
  return zoom ?? shown.get(focusedPane(panes.length)) ?? 100;
}

function zoomTo(zoom: number): void {
  changeView({ zoom });
  announce(`Zoom: ${zoom}%`);
}
