import type { MouseEvent } from "react";
import { applyChange, fitsLink, hashOf, linkHashOf, viewOf } from "./address.js";
import { ObservableStore } from "./stores.js";
import { desktop, type InboxFolder, type Pane, type View } from "./view.js";

/**
 * Minimum time in ms between changes to the URL. Browsers reject more frequent ones, which dragging and typing would
 * cause.
 */
const writePause = 150;

/** Below this width in pixels, both panels would take more than half of the page. */
const widePage = 1_200;
const narrowPage = 640;

/** The default pane in a phone-sized window. */
const phone: Pane = { ...desktop, width: 390 };

/**
 * The view of the current history entry. Edits that are too large for a link are stored with the entry, so that reload
 * and Back restore them.
 */
const viewOfEntry = (): View => {
  const linked = viewOf(window.location.hash);
  const edited: unknown = window.history.state;
  return typeof edited === "string" ? { ...linked, edited } : linked;
};

const firstView = (): View => {
  const view = viewOfEntry();
  // If the URL has no view, the defaults depend on the window's width.
  if (window.location.hash !== "" || window.innerWidth >= widePage) return view;
  return applyChange(view, { right: undefined, ...(window.innerWidth < narrowPage && { panes: [phone] }) });
};

const store = new ObservableStore(firstView());
/** Stays the same object while only the edited variables change. */
let unedited: Omit<View, "edited"> = store.get();
let written = 0;
let pending: ReturnType<typeof setTimeout> | undefined;

const write = (how: "push" | "replace") => {
  clearTimeout(pending);
  pending = undefined;
  written = performance.now();
  const view = currentView();
  const address = `#${linkHashOf(view)}`;
  const edited = fitsLink(view) ? undefined : view.edited;
  if (how === "push") window.history.pushState(edited, "", address);
  else window.history.replaceState(edited, "", address);
};

const read = () => {
  clearTimeout(pending);
  pending = undefined;
  const next = viewOfEntry();
  if (hashOf(next) === hashOf(currentView())) return;
  unedited = next;
  store.set(next);
};

window.addEventListener("hashchange", read);
window.addEventListener("popstate", read);

/** The view, which the URL stores. Edited variables change with every key and have a hook of their own, `useEdited`. */
export const useView = (): Omit<View, "edited"> => store.usePart(() => unedited);

export const useEdited = (): string | undefined => store.usePart(({ edited }) => edited);

export const currentView = (): View => store.get();

/**
 * Changes the view. Members that are set to undefined are removed. Selecting another template, folder, email or screen
 * adds a history entry.
 */
export const changeView = (change: Partial<View>, how?: "push" | "replace"): void => {
  const before = currentView();
  const next = applyChange(before, change);
  if (hashOf(next) === hashOf(before)) return;
  const isStep =
    how === "push" ||
    (!how && (["screen", "template", "folder", "mail"] as const).some((key) => next[key] !== before[key]));
  if (isStep && pending) write("replace");
  const hasChanged = hashOf({ ...next, edited: undefined }) !== hashOf({ ...before, edited: undefined });
  if (hasChanged) unedited = next;
  store.set(next);
  if (isStep) write("push");
  else if (performance.now() - written > writePause) write("replace");
  else pending ??= setTimeout(write, writePause, "replace");
};

/** What changes in the view when a folder of the inbox is opened. */
export const folderView = (folder: InboxFolder): Partial<View> => ({
  screen: "inbox",
  folder: folder === "sent" ? undefined : folder,
});

/** Opens a folder of the inbox, without an email. */
export const openFolder = (folder: InboxFolder): void => changeView({ ...folderView(folder), mail: undefined });

/**
 * A link to a changed view, as props. With a modifier key, the browser opens it elsewhere.
 *
 * @param then Also runs after a click that changes the view.
 */
export const linkTo = (change: Partial<View>, then?: () => void) => ({
  href: addressOf(change),
  onClick: (event: MouseEvent): void => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    changeView(change);
    then?.();
  },
});

/** The URL of this page with a changed view, for links. */
export const addressOf = (change: Partial<View>): string => `#${linkHashOf(applyChange(currentView(), change))}`;
