import { Contrast, type LucideIcon, Monitor, Moon, Smartphone, Sun, Tablet } from "lucide-react";
import { createContext, useContext, useLayoutEffect } from "react";
import type { ShortcutKeys } from "../palette/commands.js";
import { mostPanes } from "../state/address.js";
import {
  desktop,
  OWN_VERSION,
  paneTextSize,
  paneWidth,
  paneZoom,
  versionOf,
  clamp,
  type Pane,
  type Scheme,
} from "../state/view.js";
import { ObservableStore } from "../state/stores.js";
import { changeView, currentView, useView } from "../state/view-store.js";
import { announce } from "../ui/notice.js";

interface Width {
  readonly id: string;
  readonly name: string;
  readonly keys: ShortcutKeys;
  readonly width: number;
  readonly icon: LucideIcon;
}

export const PHONE_WIDTH = 390;

/** In CSS pixels: how wide clients on these devices show an email. */
export const WIDTHS: readonly [Width, ...Width[]] = [
  { id: "desktop", name: "Desktop", keys: "w d", width: desktop.width, icon: Monitor },
  { id: "tablet", name: "Tablet", keys: "w t", width: 768, icon: Tablet },
  { id: "phone", name: "Phone", keys: "w p", width: PHONE_WIDTH, icon: Smartphone },
  { id: "small-phone", name: "Small phone", keys: "w s", width: 320, icon: Smartphone },
];

export const widthWithin = (width: number): number => clamp(Math.round(width), paneWidth);

export const textSizeAfter = (textSize: number, step: number): number => clamp(textSize + step, paneTextSize);

export function iconOfWidth(width: number): LucideIcon {
  if (width < 500) return Smartphone;
  return width < desktop.width ? Tablet : Monitor;
}

interface SchemeChoice {
  readonly value: Scheme;
  readonly label: string;
  readonly icon: LucideIcon;
}

export const SCHEMES: readonly [SchemeChoice, ...SchemeChoice[]] = [
  { value: "light", label: "Light", icon: Sun },
  { value: "dark", label: "Dark", icon: Moon },
  { value: "forced-dark", label: "Forced dark", icon: Contrast },
];

export function schemeChoice(scheme: Scheme): SchemeChoice {
  return SCHEMES.find(({ value }) => value === scheme) ?? SCHEMES[0];
}

/** The index of the pane that a component is in. */
export const PaneIndex = createContext(0);

export function usePane() {
  const { panes } = useView();
  const index = useContext(PaneIndex);
  const change = (part: Partial<Pane>) => changePane(index, part);
  return { pane: panes[index] ?? desktop, index, count: panes.length, change };
}

/** The pane that was last clicked or focused. Shortcuts and the palette act on it. */
const lastFocused = new ObservableStore(0);

/** Its index, limited to the number of open panes. */
export const focusedPane = (count: number): number => Math.min(lastFocused.get(), count - 1);

export const focusPane = (index: number): void => lastFocused.set(index);

export const useFocusedPane = (count: number): number => Math.min(lastFocused.use(), count - 1);

export function changePane(index: number, change: Partial<Pane>): void {
  setPanes(currentView().panes.map((pane, at) => (at === index ? { ...pane, ...change } : pane)));
}

/** Changes the pane that shortcuts act on. */
export function changeFocusedPane(change: (pane: Pane) => Partial<Pane>): void {
  const { panes } = currentView();
  const index = focusedPane(panes.length);
  changePane(index, change(panes[index] ?? desktop));
}

/** Applies the same change, computed from the focused pane, to all panes. */
export function changeAllPanes(change: (focused: Pane) => Partial<Pane>): void {
  const { panes } = currentView();
  const changed = change(panes[focusedPane(panes.length)] ?? desktop);
  setPanes(panes.map((pane) => ({ ...pane, ...changed })));
}

/** Adds a copy next to the pane. */
export function duplicatePane(index: number): void {
  const { panes } = currentView();
  const pane = panes[index];
  if (pane && panes.length < mostPanes) setPanes(panes.toSpliced(index + 1, 0, pane));
}

export function closePane(index: number): void {
  const { panes } = currentView();
  if (panes.length < 2) return;
  const focused = focusedPane(panes.length);
  if (index < focused) focusPane(focused - 1);
  setPanes(panes.toSpliced(index, 1));
}

/**
 * Shows two panes next to each other that differ only in these settings. Everything else is taken from the first pane.
 */
export function compare(one: Partial<Pane>, other: Partial<Pane>): void {
  const [first = desktop] = currentView().panes;
  focusPane(0);
  changeView({ mode: "rendered", panes: [one, other].map((change) => ({ ...first, ...change })) });
}

/** Shows the project's version next to an environment's. */
export function compareWithDeployed(environment: string): void {
  compare(versionOf(OWN_VERSION), versionOf(`deployed:${environment}`));
}

/** Adds the pane that is most likely wanted next to the existing ones. */
export function addPane(): void {
  const { panes } = currentView();
  const last = panes.at(-1) ?? desktop;
  const hasPhone = panes.some(({ width }) => width === PHONE_WIDTH);
  if (panes.length < mostPanes) setPanes([...panes, hasPhone ? last : { ...last, width: PHONE_WIDTH }]);
}

export interface Layout {
  readonly id: string;
  readonly name: string;
  readonly keys: ShortcutKeys;
  readonly panes: readonly Partial<Pane>[];
}

export const LAYOUTS: readonly Layout[] = [
  { id: "one", name: "One pane", keys: "l 1", panes: [{}] },
  { id: "schemes", name: "Light + dark", keys: "l d", panes: [{ scheme: "light" }, { scheme: "dark" }] },
  {
    id: "devices",
    name: "Desktop + phone",
    keys: "l p",
    panes: [{ width: desktop.width }, { width: PHONE_WIDTH }],
  },
  {
    id: "all",
    name: "Four panes",
    keys: "l 4",
    panes: [
      { width: desktop.width, scheme: "light" },
      { width: desktop.width, scheme: "dark" },
      { width: PHONE_WIDTH, scheme: "light" },
      { width: PHONE_WIDTH, scheme: "forced-dark" },
    ],
  },
];

/** Settings that the layout does not define are taken from the first pane. */
export function applyLayout({ panes }: Layout): void {
  const [first = desktop] = currentView().panes;
  focusPane(0);
  setPanes(panes.map((pane) => ({ ...first, ...pane })));
}

export function toggleScrolling(): void {
  changeView({ scrollsApart: currentView().scrollsApart ? undefined : true });
}

export function toggleInspecting(): void {
  changeView({ isInspecting: currentView().isInspecting ? undefined : true });
}

function setPanes(panes: readonly Pane[]): void {
  changeView({ panes });
}

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
