import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { bracketMatching, codeFolding, foldGutter, foldKeymap, indentOnInput } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { searchKeymap } from "@codemirror/search";
import { Annotation, Compartment, EditorState, type Extension } from "@codemirror/state";
import { EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import type { VariablesSchema } from "../../../../mustache/variables.js";
import { findBar } from "../../code/find-bar.js";
import { replaced } from "../../code/replaced.js";
import { codeTheme } from "../../code/theme.js";
import { completeJson } from "./complete.js";
import { diagnosticsOf, type JsonFinding } from "./lint.js";

/** On changes that come from outside of the editor. */
const isGiven = Annotation.define<boolean>();

export interface JsonEditorOptions {
  readonly schema: VariablesSchema;
  readonly isReadOnly: boolean;
  readonly onType: (text: string) => void;
}

/** Variables as JSON, edited. Tab is not taken, so that keys lead out of it. */
export class JsonEditor {
  readonly view: EditorView;
  readonly #schema = new Compartment();

  constructor(parent: HTMLElement, text: string, { schema, isReadOnly, onType }: JsonEditorOptions) {
    this.view = new EditorView({
      parent,
      state: EditorState.create({
        doc: text,
        extensions: [
          lineNumbers(),
          codeFolding(),
          foldGutter(),
          lintGutter(),
          history(),
          json(),
          indentOnInput(),
          bracketMatching(),
          closeBrackets(),
          highlightActiveLine(),
          findBar,
          keymap.of([
            ...closeBracketsKeymap,
            ...completionKeymap,
            ...searchKeymap,
            ...historyKeymap,
            ...foldKeymap,
            ...lintKeymap,
            ...defaultKeymap,
          ]),
          EditorState.readOnly.of(isReadOnly),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ "aria-label": "Variables as JSON", tabindex: "0" }),
          EditorView.updateListener.of(({ docChanged, transactions, state }) => {
            if (docChanged && !transactions.some((each) => each.annotation(isGiven))) onType(state.doc.toString());
          }),
          codeTheme,
          this.#schema.of(completion(schema)),
        ],
      }),
    });
  }

  setSchema(schema: VariablesSchema): void {
    this.view.dispatch({ effects: this.#schema.reconfigure(completion(schema)) });
  }

  /** Shows another text, where it is another. */
  show(text: string): void {
    const changes = replaced(this.view.state.doc.toString(), text);
    if (changes) this.view.dispatch({ changes, annotations: isGiven.of(true) });
  }

  /** Replaces the text as if it were typed. */
  type(text: string): void {
    const changes = replaced(this.view.state.doc.toString(), text);
    if (changes) this.view.dispatch({ changes, userEvent: "input" });
  }

  mark(findings: readonly JsonFinding[]): void {
    const { state } = this.view;
    this.view.dispatch(setDiagnostics(state, diagnosticsOf(findings)));
  }

  /** Puts the cursor there, in sight. */
  go(to: number): void {
    const anchor = Math.min(to, this.view.state.doc.length);
    this.view.dispatch({ selection: { anchor }, scrollIntoView: true });
    this.view.focus();
  }
}

function completion(schema: VariablesSchema): Extension {
  return autocompletion({ override: [completeJson(schema)], icons: false });
}
