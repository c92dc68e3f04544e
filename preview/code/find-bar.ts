import { getSearchQuery, search, searchPanelOpen } from "@codemirror/search";
import type { EditorState, Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";

/** Counting more matches would slow typing down, and the exact number would not help. */
const MOST = 1_000;

/** The position of the selection among the matches: `3 of 17`. */
function countOf(state: EditorState): string {
  const query = getSearchQuery(state);
  if (query.search === "" || !query.valid) return "";
  const { from, to } = state.selection.main;
  const matches = query.getCursor(state);
  let count = 0;
  let at = 0;
  for (let next = matches.next(); !next.done && count < MOST; next = matches.next()) {
    count += 1;
    if (next.value.from === from && next.value.to === to) at = count;
  }
  const all = count === MOST ? `${MOST}+` : String(count);
  if (count === 0) return "Not found";
  return at > 0 ? `${at} of ${all}` : `${all} found`;
}

function show(view: EditorView): void {
  const panel = view.dom.querySelector(".cm-search");
  const field = panel?.querySelector("input");
  if (!panel || !field) return;
  let count = panel.querySelector<HTMLElement>(".cm-search-count");
  if (!count) {
    count = document.createElement("span");
    count.className = "cm-search-count";
    count.role = "status";
    field.after(count);
  }
  const words = countOf(view.state);
  if (count.textContent !== words) count.textContent = words;
}

/** The search bar above the code, with the number of matches. */
export const findBar: Extension = [
  search({ top: true }),
  EditorView.updateListener.of(({ view, state, startState, docChanged, selectionSet }) => {
    if (!searchPanelOpen(state)) return;
    const isNewQuery = !searchPanelOpen(startState) || !getSearchQuery(state).eq(getSearchQuery(startState));
    if (isNewQuery || docChanged || selectionSet) show(view);
  }),
];
