import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { bracketMatching, codeFolding, foldGutter, foldKeymap, indentOnInput } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { searchKeymap } from "@codemirror/search";
import { Annotation, Compartment, EditorState, type Extension } from "@codemirror/state";
import { EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import type { VariablesSchema } from "../../../src/mustache/variables.js";
import { findBar } from "../../code/find-bar.js";
import { replaced } from "../../code/replaced.js";
import { codeTheme } from "../../code/theme.js";
import { completeJson } from "./complete.js";
import { diagnosticsOf, type JsonFinding } from "./lint.js";

/** Marks changes that come from outside the editor. */
const isExternal = Annotation.define<boolean>();

export interface JsonEditorOptions {
  readonly schema: VariablesSchema;
  readonly isReadOnly: boolean;
  readonly onType: (text: string) => void;
}

/** An editor for variables as JSON. It does not capture Tab, so that Tab leaves the editor. */
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
            if (docChanged && !transactions.some((each) => each.annotation(isExternal))) onType(state.doc.toString());
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

  /** Shows another string, if it differs. */
  show(text: string): void {
    const changes = replaced(this.view.state.doc.toString(), text);
    if (changes) this.view.dispatch({ changes, annotations: isExternal.of(true) });
  }

  /** Replaces the content as if the user had typed it. */
  type(text: string): void {
    const changes = replaced(this.view.state.doc.toString(), text);
    if (changes) this.view.dispatch({ changes, userEvent: "input" });
  }

  mark(findings: readonly JsonFinding[]): void {
    const { state } = this.view;
    this.view.dispatch(setDiagnostics(state, diagnosticsOf(findings)));
  }

  /** Moves the cursor to a position and scrolls it into view. */
  go(to: number): void {
    const anchor = Math.min(to, this.view.state.doc.length);
    this.view.dispatch({ selection: { anchor }, scrollIntoView: true });
    this.view.focus();
  }
}

function completion(schema: VariablesSchema): Extension {
  return autocompletion({ override: [completeJson(schema)], icons: false });
}
