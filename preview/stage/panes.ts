import type { Keys } from "../palette/all-keys.js";
import { mostPanes } from "../state/address.js";
import { desktop, OWN_VERSION, type Pane, versionOf } from "../state/view.js";
import { changeView, currentView } from "../state/view-store.js";
import { focusedPane, focusPane } from "./focused-pane.js";
import { PHONE_WIDTH } from "./widths.js";

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
  readonly keys: Keys;
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
export function layOut({ panes }: Layout): void {
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
