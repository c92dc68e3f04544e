import { codeFolding, foldGutter, HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { lintGutter } from "@codemirror/lint";
import { countColumn, EditorState, type Extension, RangeSetBuilder, type TransactionSpec } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  EditorView,
  highlightActiveLine,
  highlightSpecialChars,
  lineNumbers,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { getSearchQuery, search, searchPanelOpen } from "@codemirror/search";
import { ACTING, visible } from "../ui/text.js";

/** Indents the continuation of a wrapped line further than its start. The theme applies `--hang`. */
const hangingIndent = EditorView.decorations.of(hangsOf);

/** Maximum indent in columns, so that deeply nested lines keep some room. */
const MOST_INDENT = 24;

function hangsOf({ state: { doc, tabSize }, visibleRanges }: EditorView): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  let next = 0;
  for (const { from, to } of visibleRanges) {
    for (let at = Math.max(from, next); at <= to; at = next) {
      const line = doc.lineAt(at);
      next = line.to + 1;
      const columns = countColumn(/^\s*/.exec(line.text)?.[0] ?? "", tabSize);
      const style = `--hang: ${Math.min(columns, MOST_INDENT) + 2}ch`;
      if (line.from >= from) builder.add(line.from, line.from, Decoration.line({ attributes: { style } }));
    }
  }
  return builder.finish();
}

/** The theme of all code views. Its colours are the page's variables, so it follows the page's light or dark scheme. */
const look = EditorView.theme({
  "&": { height: "100%", backgroundColor: "var(--surface)", color: "var(--ink)", fontSize: "12px" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--font-code)", lineHeight: "20px", fontFeatureSettings: '"calt" 0' },
  ".cm-content": { padding: "var(--space-2) 0", caretColor: "var(--ink)" },
  ".cm-line": { padding: "0 var(--space-3) 0 var(--space-2)" },
  ".cm-lineWrapping .cm-line": {
    paddingLeft: "calc(var(--space-2) + var(--hang, 0ch))",
    textIndent: "calc(-1 * var(--hang, 0ch))",
  },
  ".cm-gutters": { backgroundColor: "var(--surface)", color: "var(--ink-soft)", border: "none" },
  ".cm-lineNumbers .cm-gutterElement": { minWidth: "32px", padding: "0 2px 0 var(--space-2)" },
  ".cm-foldGutter .cm-gutterElement": { width: "16px", cursor: "pointer" },
  // Same chevron as the page's other disclosures.
  ".cm-foldGutter span": {
    display: "block",
    width: "5px",
    height: "5px",
    margin: "6px auto 0",
    borderRight: "1.5px solid",
    borderBottom: "1.5px solid",
    fontSize: "0",
    rotate: "45deg",
  },
  ".cm-foldGutter span[title^=Unfold]": { marginTop: "7px", rotate: "-45deg" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "transparent" },
  "&.cm-focused .cm-activeLine, &.cm-focused .cm-activeLineGutter": { backgroundColor: "var(--hover)" },
  ".cm-pointed, &.cm-focused .cm-pointed": {
    backgroundColor: "var(--selected)",
    boxShadow: "inset 2px 0 var(--accent)",
  },
  ".cm-mustache, .cm-mustache *": { color: "var(--warning)" },
  ".cm-mustache": { padding: "1px 0", borderRadius: "3px", backgroundColor: "var(--warning-fill)", fontWeight: "500" },
  ".cm-mustache-section": { backgroundColor: "var(--selected)" },
  ".cm-mustache-section, .cm-mustache-section *": { color: "var(--accent)" },
  ".cm-mustache-raw": { backgroundColor: "var(--error-fill)" },
  ".cm-mustache-raw, .cm-mustache-raw *": { color: "var(--error)" },
  ".cm-specialChar": { borderRadius: "3px", backgroundColor: "var(--error-fill)", color: "var(--error)" },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": { backgroundColor: "var(--selected)", outline: "none" },
  ".cm-foldPlaceholder": {
    margin: "0 4px",
    padding: "0 6px",
    border: "none",
    borderRadius: "4px",
    backgroundColor: "var(--selected)",
    color: "var(--accent)",
  },
  ".cm-searchMatch": { backgroundColor: "var(--warning-fill)", outline: "1px solid var(--warning)" },
  ".cm-searchMatch-selected": { backgroundColor: "var(--selected)", outline: "2px solid var(--accent)" },
  ".cm-panels": { backgroundColor: "var(--surface)", color: "var(--ink)", fontFamily: "var(--font)" },
  ".cm-panels-top": { borderBottom: "1px solid var(--border)" },
  ".cm-panels-bottom": { borderTop: "1px solid var(--border)" },
  ".cm-panel.cm-search": {
    display: "flex",
    flexWrap: "wrap",
    alignItems: "center",
    gap: "var(--space-1) var(--space-2)",
    padding: "var(--space-1) 36px var(--space-1) var(--space-2)",
    fontSize: "var(--text-body)",
  },
  ".cm-panel.cm-search input, .cm-panel.cm-search button, .cm-panel.cm-search label": {
    margin: "0",
    fontSize: "inherit",
  },
  ".cm-search-count": { minWidth: "72px", color: "var(--ink-soft)", fontVariantNumeric: "tabular-nums" },
  ".cm-panel.cm-search label": {
    display: "flex",
    alignItems: "center",
    gap: "6px",
    minHeight: "24px",
    color: "var(--ink-soft)",
  },
  // Keeps the search bar on one line in the narrow variables panel too.
  ".cm-panel.cm-search label:has([type=checkbox])": { gap: "var(--space-1)", fontSize: "var(--text-small)" },
  ".cm-panel.cm-search input[type=checkbox]": { accentColor: "var(--accent-fill)" },
  ".cm-panel.cm-search br, .cm-panel.cm-search [name=select]": { display: "none" },
  ".cm-panel.cm-search .cm-textfield": {
    flex: "1 1 140px",
    maxWidth: "280px",
    height: "var(--control)",
    padding: "0 var(--space-2)",
    border: "1px solid var(--border-strong)",
    borderRadius: "var(--radius)",
    backgroundColor: "var(--surface)",
    color: "var(--ink)",
  },
  ".cm-panel.cm-search .cm-textfield:focus-visible": {
    borderColor: "var(--accent)",
    outline: "1px solid var(--accent)",
    outlineOffset: "0",
  },
  ".cm-panel.cm-search .cm-button": {
    height: "var(--control)",
    padding: "0 10px",
    border: "1px solid var(--border)",
    borderRadius: "var(--radius)",
    background: "var(--raised)",
    color: "var(--ink)",
    fontWeight: "500",
    cursor: "pointer",
  },
  ".cm-panel.cm-search button:hover": { background: "var(--hover)" },
  ".cm-panel.cm-search [name=close]": {
    top: "var(--space-1)",
    right: "var(--space-1)",
    width: "var(--control)",
    height: "var(--control)",
    borderRadius: "var(--radius)",
    color: "var(--ink-soft)",
    fontSize: "var(--text-title)",
    fontWeight: "300",
    lineHeight: "1",
    cursor: "pointer",
  },
  ".cm-tooltip": {
    maxWidth: "48ch",
    border: "1px solid var(--border)",
    borderRadius: "var(--radius)",
    backgroundColor: "var(--raised)",
    boxShadow: "var(--shadow)",
    color: "var(--ink)",
    fontFamily: "var(--font)",
    fontSize: "var(--text-body)",
    overflow: "hidden",
  },
  ".cm-tooltip-autocomplete > ul": { fontFamily: "var(--font-code)", fontSize: "12px" },
  ".cm-tooltip-autocomplete > ul > li": { padding: "3px 8px" },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": { backgroundColor: "var(--selected)", color: "var(--ink)" },
  ".cm-completionDetail": { color: "var(--ink-soft)", fontStyle: "normal" },
  ".cm-diagnostic": { padding: "6px 10px", borderLeftWidth: "3px" },
  ".cm-diagnostic-error": { borderLeftColor: "var(--error)" },
  ".cm-diagnostic-warning": { borderLeftColor: "var(--warning)" },
  ".cm-diagnostic-info": { borderLeftColor: "var(--accent)" },
  ".cm-lintRange-error, .cm-lintRange-warning, .cm-lintRange-info": {
    backgroundImage: "none",
    textDecoration: "underline wavy",
    textDecorationThickness: "1px",
    textUnderlineOffset: "3px",
    textDecorationSkipInk: "none",
  },
  ".cm-lintRange-error": { textDecorationColor: "var(--error)" },
  ".cm-lintRange-warning": { textDecorationColor: "var(--warning)" },
  ".cm-lintRange-info": { textDecorationColor: "var(--accent)" },
  ".cm-gutter-lint": { width: "12px" },
  ".cm-lint-marker": { width: "8px", height: "8px", margin: "6px 2px", borderRadius: "50%" },
  ".cm-lint-marker-error": { content: "normal", background: "var(--error)" },
  ".cm-lint-marker-warning": { content: "normal", background: "var(--warning)" },
  ".cm-lint-marker-info": { content: "normal", background: "var(--accent)" },
});

const highlight = HighlightStyle.define([
  { tag: [tags.tagName, tags.keyword, tags.operatorKeyword, tags.modifier], color: "var(--accent)" },
  { tag: [tags.string, tags.special(tags.string), tags.attributeValue, tags.regexp], color: "var(--good)" },
  { tag: [tags.number, tags.bool, tags.null, tags.atom, tags.unit, tags.color], color: "var(--warning)" },
  { tag: [tags.comment, tags.documentMeta, tags.processingInstruction], color: "var(--ink-soft)", fontStyle: "italic" },
  { tag: [tags.angleBracket, tags.punctuation, tags.bracket], color: "var(--ink-soft)" },
  { tag: [tags.typeName, tags.className, tags.function(tags.variableName)], fontWeight: "500" },
  { tag: tags.invalid, color: "var(--error)" },
]);

const phrases = EditorState.phrases.of({
  next: "Next",
  previous: "Previous",
  "match case": "Match case",
  regexp: "Pattern",
  "by word": "Whole words",
  replace: "Replace",
  "replace all": "Replace all",
  close: "Close",
});

/** Shows control and formatting characters as visible labels, so that they have no effect. */
const actingCharacters = highlightSpecialChars({
  specialChars: ACTING,
  render(code, description) {
    const shown = document.createElement("span");
    shown.className = "cm-specialChar";
    shown.title = description ?? "";
    shown.textContent = visible(String.fromCharCode(code));
    return shown;
  },
});

/** Counting more matches would slow typing down, and the exact number would not help. */
const MOST_MATCHES = 1_000;

/** The position of the selection among the matches: `3 of 17`. */
function countOf(state: EditorState): string {
  const query = getSearchQuery(state);
  if (query.search === "" || !query.valid) return "";
  const { from, to } = state.selection.main;
  const matches = query.getCursor(state);
  let count = 0;
  let at = 0;
  for (let next = matches.next(); !next.done && count < MOST_MATCHES; next = matches.next()) {
    count += 1;
    if (next.value.from === from && next.value.to === to) at = count;
  }
  const all = count === MOST_MATCHES ? `${MOST_MATCHES}+` : String(count);
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
const findBar: Extension = [
  search({ top: true }),
  EditorView.updateListener.of(({ view, state, startState, docChanged, selectionSet }) => {
    if (!searchPanelOpen(state)) return;
    const isNewQuery = !searchPanelOpen(startState) || !getSearchQuery(state).eq(getSearchQuery(startState));
    if (isNewQuery || docChanged || selectionSet) show(view);
  }),
];

/** What all code views have in common. */
export const codeBase: Extension = [
  lineNumbers(),
  codeFolding(),
  foldGutter(),
  lintGutter(),
  highlightActiveLine(),
  findBar,
  look,
  phrases,
  hangingIndent,
  actingCharacters,
  syntaxHighlighting(highlight),
];

/**
 * Replaces the text, if it differs. Only the range that differs changes: the text around it keeps its position, folds and
 * colours.
 */
export function showText(view: EditorView, after: string, transaction: TransactionSpec = {}): void {
  const before = view.state.doc.toString();
  if (before === after) return;
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before.charCodeAt(start) === after.charCodeAt(start)) start += 1;
  let end = 0;
  while (
    end < most - start &&
    before.charCodeAt(before.length - 1 - end) === after.charCodeAt(after.length - 1 - end)
  ) {
    end += 1;
  }
  const changes = { from: start, to: before.length - end, insert: after.slice(start, after.length - end) };
  view.dispatch({ ...transaction, changes });
}
