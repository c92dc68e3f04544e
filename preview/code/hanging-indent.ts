import { countColumn, RangeSetBuilder } from "@codemirror/state";
import { Decoration, type DecorationSet, type EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view";

/** Indents the continuation of a wrapped line further than its start. The theme applies `--hang`. */
export const hangingIndent = ViewPlugin.fromClass(
  class {
    hangs: DecorationSet;

    constructor(view: EditorView) {
      this.hangs = hangsOf(view);
    }

    update({ view, docChanged, viewportChanged }: ViewUpdate) {
      if (docChanged || viewportChanged) this.hangs = hangsOf(view);
    }
  },
  { decorations: ({ hangs }) => hangs },
);

/** Maximum indent in columns, so that deeply nested lines keep some room. */
const MOST = 24;

function hangsOf({ state: { doc, tabSize }, visibleRanges }: EditorView): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  let next = 0;
  for (const { from, to } of visibleRanges) {
    for (let at = Math.max(from, next); at <= to; at = next) {
      const line = doc.lineAt(at);
      next = line.to + 1;
      const columns = countColumn(/^\s*/.exec(line.text)?.[0] ?? "", tabSize);
      const style = `--hang: ${Math.min(columns, MOST) + 2}ch`;
      if (line.from >= from) builder.add(line.from, line.from, Decoration.line({ attributes: { style } }));
    }
  }
  return builder.finish();
}
