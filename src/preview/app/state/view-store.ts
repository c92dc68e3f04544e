import { useSyncExternalStore } from "react";
import { fitsLink, hashOf, linkHashOf, viewOf } from "./address.js";
import { changedView } from "./changed-view.js";
import { desktop } from "./pane.js";
import type { Pane, View } from "./view.js";

/** Browsers refuse pages that write their address too often, as dragging and typing would. */
const writePause = 150;

/** Below this the email would have less than half of the page beside both panels. */
const widePage = 1_200;
const narrowPage = 640;

/** What a window that is hardly wider shows at first. */
const phone: Pane = { ...desktop, width: 390 };

/** Of the browser's history: edits that a link has no room for are with its entry, so that a reload and Back find them. */
const viewOfEntry = (): View => {
  const linked = viewOf(window.location.hash);
  const edited: unknown = window.history.state;
  return typeof edited === "string" ? { ...linked, edited } : linked;
};

let view = viewOfEntry();
// An address that says nothing leaves the choice to the page.
if (window.location.hash === "" && window.innerWidth < widePage) view = changedView(view, { right: undefined });
if (window.location.hash === "" && window.innerWidth < narrowPage) view = changedView(view, { panes: [phone] });
/** The same object while nothing but what is edited changes. */
let unedited: Omit<View, "edited"> = view;
let written = 0;
let pending: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

const tell = () => listeners.forEach((listener) => listener());

const write = (how: "push" | "replace") => {
  clearTimeout(pending);
  pending = undefined;
  written = performance.now();
  const address = `#${linkHashOf(view)}`;
  const edited = fitsLink(view) ? undefined : view.edited;
  if (how === "push") window.history.pushState(edited, "", address);
  else window.history.replaceState(edited, "", address);
};

const read = () => {
  clearTimeout(pending);
  pending = undefined;
  const next = viewOfEntry();
  if (hashOf(next) === hashOf(view)) return;
  view = next;
  unedited = view;
  tell();
};

window.addEventListener("hashchange", read);
window.addEventListener("popstate", read);

/** The address is the state. What is edited, whoever needs it asks for: it is another with every key. */
export const useView = (): Omit<View, "edited"> => useSyncExternalStore(subscribe, () => unedited);

export const useEdited = (): string | undefined => useSyncExternalStore(subscribe, () => view.edited);

export const currentView = (): View => view;

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** A member given as undefined is taken away. Choosing another template, mail or screen is a step that Back undoes. */
export const changeView = (change: Partial<View>, how?: "push" | "replace"): void => {
  const before = view;
  const next = changedView(before, change);
  if (hashOf(next) === hashOf(before)) return;
  const isStep =
    how === "push" || (!how && (["screen", "template", "mail"] as const).some((key) => next[key] !== before[key]));
  if (isStep && pending) write("replace");
  view = next;
  const isOther = hashOf({ ...next, edited: undefined }) !== hashOf({ ...before, edited: undefined });
  if (isOther) unedited = next;
  if (isStep) write("push");
  else if (performance.now() - written > writePause) write("replace");
  else pending ??= setTimeout(write, writePause, "replace");
  tell();
};

/** The address of this page with another view, for links. */
export const addressOf = (change: Partial<View>): string => `#${linkHashOf(changedView(view, change))}`;
