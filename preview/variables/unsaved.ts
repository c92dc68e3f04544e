import { useLayoutEffect, useRef } from "react";
import { useOfProject, useSummary } from "../state/data.js";
import { changeView, useEdited, useView } from "../state/view-store.js";
import { KeyedStore } from "../state/stores.js";

const PREFIX = "preview:unsaved:";

/** Strings by key that survive a reload, if the browser allows that. */
class SessionStore extends KeyedStore<string> {
  constructor() {
    super(storedStrings());
  }

  override set(key: string, text: string | undefined): void {
    super.set(key, text);
    try {
      if (text === undefined) sessionStorage.removeItem(PREFIX + key);
      else sessionStorage.setItem(PREFIX + key, text);
    } catch {
      // The value is kept only while the page is open.
    }
  }
}

function storedStrings(): (readonly [key: string, text: string])[] {
  try {
    return Object.entries<string>(sessionStorage).flatMap(([item, text]) =>
      item.startsWith(PREFIX) ? [[item.slice(PREFIX.length), text]] : [],
    );
  } catch {
    return [];
  }
}

/** By fixture: unsaved edits, as the URL stores them, for as long as the browser tab is open. */
export const unsaved = new SessionStore();

/** Identifies a fixture among all projects and templates in this browser. */
export const fixtureKey = (project: string, template: string | undefined, fixture: string | undefined): string =>
  JSON.stringify([project, template, fixture]);

/** Moves unsaved edits to a template's new name. */
export const moveUnsaved = (
  project: string,
  { from, to, fixtures }: { readonly from: string; readonly to: string; readonly fixtures: readonly string[] },
): void => {
  for (const fixture of fixtures.length === 0 ? [undefined] : fixtures)
    for (const store of [unsaved, drafts] as readonly KeyedStore<unknown>[]) {
      const before = fixtureKey(project, from, fixture);
      store.set(fixtureKey(project, to, fixture), store.get(before));
      store.set(before, undefined);
    }
};

export const useIsUnsaved = (template: string, fixtures: readonly string[]): boolean => {
  const project = useOfProject(({ name }) => name);
  const names = fixtures.length === 0 ? [undefined] : fixtures;
  return unsaved.useAny(names.map((fixture) => fixtureKey(project, template, fixture)));
};

/** The URL is written a moment after the last key, so that it may be older than the stored edits after a reload. */
let isReloaded = performance.getEntriesByType("navigation").some((entry) => "type" in entry && entry.type === "reload");

/** Keeps edits while another fixture is shown, and restores them with their own fixture. */
export const useUnsaved = (): void => {
  const { template, fixture } = useView();
  const edited = useEdited();
  const project = useOfProject(({ name }) => name);
  const { fixtures = [] } = useSummary() ?? {};
  const chosen = fixtures.find((name) => name === (fixture ?? "default")) ?? fixtures[0];
  const key = fixtureKey(project, template, chosen);
  const shown = useRef<string>(undefined);
  // Before the first paint, so that the saved fixture does not flash up.
  useLayoutEffect(() => {
    const isNew = key !== shown.current;
    const kept = unsaved.get(key);
    const comesBack = isNew && kept !== undefined && (edited === undefined || isReloaded);
    shown.current = key;
    isReloaded = false;
    if (comesBack) changeView({ edited: kept }, "replace");
    else unsaved.set(key, edited);
  }, [key, edited]);
};

/** The JSON editor's content, exactly as typed. */
export interface Draft {
  readonly text: string;
  /** Why it can't be used. */
  readonly problem?: InvalidJson;
}

export interface InvalidJson {
  readonly message: string;
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

/** By fixture: drafts stay while something else is shown. */
export const drafts = new KeyedStore<Draft>();
