import { defaultKeymap, history, historyKeymap, redo, undo } from "@codemirror/commands";
import {
  bracketMatching,
  codeFolding,
  foldAll,
  foldGutter,
  foldKeymap,
  indentOnInput,
  unfoldAll,
} from "@codemirror/language";
import { type Command, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { AlignLeft, ChevronsDownUp, ChevronsUpDown, Redo2, Undo2 } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { json } from "@codemirror/lang-json";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { searchKeymap } from "@codemirror/search";
import { Annotation, Compartment, EditorState, type Extension } from "@codemirror/state";
import { Bar, Space } from "../../ui/bar.js";
import { IconButton } from "../../ui/button.js";
import { CopyButton } from "../../ui/copy.js";
import { notify } from "../../ui/notice.js";
import { drafts } from "../unsaved.js";
import type { Editing } from "../editing.js";
import { isEqual } from "../../state/json.js";
import { diagnosticsOf, findingsIn, type JsonFinding, printJson, readJson } from "./read.js";
import type { VariablesSchema } from "../../../src/mustache/variables.js";
import { findBar, changedRange, codeTheme } from "../../code/editor.js";
import { completeJson } from "./complete.js";
import { SeverityMark } from "../../ui/badge.js";
import styles from "./json-view.module.css";

/** Marks changes that come from outside the editor. */
const isExternal = Annotation.define<boolean>();

interface JsonEditorOptions {
  readonly schema: VariablesSchema;
  readonly isReadOnly: boolean;
  readonly onType: (text: string) => void;
}

/** An editor for variables as JSON. It does not capture Tab, so that Tab leaves the editor. */
class JsonEditor {
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
    const changes = changedRange(this.view.state.doc.toString(), text);
    if (changes) this.view.dispatch({ changes, annotations: isExternal.of(true) });
  }

  /** Replaces the content as if the user had typed it. */
  type(text: string): void {
    const changes = changedRange(this.view.state.doc.toString(), text);
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

const MARK_AFTER_MS = 250;

/** The variables as JSON. Invalid JSON is kept as typed, while the last valid JSON fills the template. */
export const JsonView = ({ editing }: { readonly editing: Editing }) => {
  const { key, schema, problems } = editing;
  const text = textOf(editing);
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<JsonEditor>(undefined);
  const [findings, setFindings] = useState<readonly JsonFinding[]>([]);
  const latest = useRef({ editing, text });
  latest.current = { editing, text };

  useEffect(() => {
    if (!host.current) return undefined;
    const { editing: first, text: written } = latest.current;
    const made = new JsonEditor(host.current, written, {
      schema: first.schema,
      isReadOnly: first.obstacle !== undefined,
      onType(typed) {
        const { variables, problem } = readJson(typed);
        drafts.set(latest.current.editing.key, { text: typed, problem });
        if (variables) latest.current.editing.change(variables, "json");
      },
    });
    editor.current = made;
    return () => made.view.destroy();
    // Each fixture has its own undo history.
  }, [key]);
  useEffect(() => editor.current?.show(text), [text]);
  useEffect(() => editor.current?.setSchema(schema), [schema]);
  useEffect(() => {
    const timer = setTimeout(() => {
      const next = findingsIn(text, problems);
      editor.current?.mark(next);
      setFindings(next);
    }, MARK_AFTER_MS);
    return () => clearTimeout(timer);
  }, [text, problems]);

  const format = (): void => {
    const { variables, problem } = readJson(text);
    if (variables) editor.current?.type(printJson(variables));
    else notify(`Can't format: line ${problem.line} isn't valid JSON yet.`, "error");
  };
  const run = (command: Command) => () => {
    const view = editor.current?.view;
    if (view) command(view);
    view?.focus();
  };
  return (
    <div className={styles.json}>
      <Bar label="JSON tools">
        <IconButton icon={Undo2} label="Undo" keys="mod+z" onClick={run(undo)} />
        <IconButton icon={Redo2} label="Redo" keys="mod+shift+z" onClick={run(redo)} />
        <Space />
        <IconButton icon={ChevronsDownUp} label="Fold all" onClick={run(foldAll)} />
        <IconButton icon={ChevronsUpDown} label="Unfold all" onClick={run(unfoldAll)} />
        <IconButton icon={AlignLeft} label="Format" disabled={editing.obstacle !== undefined} onClick={format} />
        <CopyButton text={text} what="JSON" />
      </Bar>
      <div ref={host} className={styles.text} />
      <JsonFindings findings={findings} onGo={(to) => editor.current?.go(to)} />
    </div>
  );
};

/** The draft if it matches the variables or is invalid JSON, otherwise the variables. */
function textOf({ draft, input }: Editing): string {
  if (draft && (draft.problem || isEqual(readJson(draft.text).variables, input))) return draft.text;
  return printJson(input);
}

/** The problems of the JSON, listed below it. Each leads to its position. */
export const JsonFindings = ({
  findings,
  onGo,
}: {
  readonly findings: readonly JsonFinding[];
  readonly onGo: (offset: number) => void;
}) => (
  <section aria-label="JSON problems" aria-live="polite" className={styles.findings}>
    {findings.length > 0 && (
      <ul>
        {findings.map(({ from, line, column, message }, at) => (
          <li key={at}>
            <button type="button" className={styles.finding} onClick={() => onGo(from)}>
              <SeverityMark severity="error" />
              <span>
                <b>
                  Line {line}, column {column}
                </b>{" "}
                {message}
              </span>
            </button>
          </li>
        ))}
      </ul>
    )}
  </section>
);
