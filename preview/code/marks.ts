import { type Diagnostic, setDiagnostics } from "@codemirror/lint";
import { type EditorState, StateEffect, StateField, type Text, type TransactionSpec } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView } from "@codemirror/view";
import type { Severity } from "../../src/diagnostic.js";

/** A message about a line. Lines and columns start at 1. */
export interface Mark {
  readonly line: number;
  readonly column?: number;
  readonly severity: Severity;
  readonly message: string;
}

/** The transaction that shows the marks. Marks on lines that do not exist are skipped. */
export function marking(state: EditorState, marks: readonly Mark[]): TransactionSpec {
  return setDiagnostics(
    state,
    marks.flatMap((mark) => diagnosticOf(state.doc, mark)),
  );
}

function diagnosticOf(text: Text, { line, column = 1, severity, message }: Mark): Diagnostic[] {
  if (line < 1 || line > text.lines) return [];
  const { from, to, text: written } = text.line(line);
  const start = Math.min(to, from + Math.max(column - 1, written.search(/\S|$/)));
  return [{ from: start, to, severity, message }];
}

const point = StateEffect.define<number | undefined>();
const pointed = Decoration.line({ class: "cm-pointed" });

/** The highlighted line. */
export const pointedLine = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (before, { effects, changes }) =>
    effects.reduce(
      (set, effect) =>
        effect.is(point) ? Decoration.set(effect.value === undefined ? [] : [pointed.range(effect.value)]) : set,
      before.map(changes),
    ),
  provide: (field) => EditorView.decorations.from(field),
});

/** Highlights the line and scrolls it to the middle. Without a line, removes the highlight. */
export function pointing({ doc }: EditorState, line: number | undefined): TransactionSpec {
  if (line === undefined || line < 1 || line > doc.lines) return { effects: point.of(undefined) };
  const { from } = doc.line(line);
  return {
    selection: { anchor: from },
    effects: [point.of(from), EditorView.scrollIntoView(from, { y: "center" })],
  };
}
