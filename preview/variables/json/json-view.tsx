import { defaultKeymap, history, historyKeymap, redo, undo } from "@codemirror/commands";
import { bracketMatching, foldAll, foldKeymap, indentOnInput, unfoldAll } from "@codemirror/language";
import { type Command, EditorView, keymap } from "@codemirror/view";
import { AlignLeft, ChevronsDownUp, ChevronsUpDown, Redo2, Undo2 } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { json } from "@codemirror/lang-json";
import { lintKeymap, setDiagnostics } from "@codemirror/lint";
import { searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, type Extension, Transaction } from "@codemirror/state";
import { Bar, Space } from "../../ui/bar.js";
import { IconButton } from "../../ui/button.js";
import { CopyButton } from "../../ui/copy.js";
import { notify } from "../../ui/notice.js";
import { drafts } from "../unsaved.js";
import type { Editing } from "../editing.js";
import { isEqual } from "../../state/json.js";
import { diagnosticsOf, findingsIn, type JsonFinding, printJson, readJson } from "./read.js";
import { codeBase, showText } from "../../code/editor.js";
import { completeJson } from "./complete.js";
import { SeverityMark } from "../../ui/badge.js";
import code from "../../code/code-view.module.css";
import styles from "./json-view.module.css";

/** No key map has Tab, so that it leaves the editor. */
const EXTENSIONS: Extension = [
  codeBase,
  history(),
  json(),
  indentOnInput(),
  bracketMatching(),
  closeBrackets(),
  keymap.of([
    ...closeBracketsKeymap,
    ...completionKeymap,
    ...searchKeymap,
    ...historyKeymap,
    ...foldKeymap,
    ...lintKeymap,
    ...defaultKeymap,
  ]),
  EditorView.lineWrapping,
  EditorView.contentAttributes.of({ "aria-label": "Variables as JSON", tabindex: "0" }),
];

/** Changes when the template is compiled again. */
const completion = new Compartment();

/** Marks changes that come from outside the editor. */
const isExternal = Transaction.remote.of(true);

const MARK_AFTER_MS = 250;

/** The variables as JSON. Invalid JSON is kept as typed, while the last valid JSON fills the template. */
export const JsonView = ({ editing }: { readonly editing: Editing }) => {
  const { key, schema, problems } = editing;
  const text = textOf(editing);
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView>(undefined);
  const [findings, setFindings] = useState<readonly JsonFinding[]>([]);
  const latest = useRef(editing);
  latest.current = editing;

  useEffect(() => {
    if (!host.current) return undefined;
    const view = new EditorView({
      parent: host.current,
      doc: textOf(latest.current),
      extensions: [
        EXTENSIONS,
        completion.of([]),
        EditorState.readOnly.of(latest.current.obstacle !== undefined),
        EditorView.updateListener.of(({ docChanged, transactions, state }) => {
          if (!docChanged || transactions.some((each) => each.annotation(Transaction.remote))) return;
          const typed = state.doc.toString();
          const { variables, problem } = readJson(typed);
          drafts.set(latest.current.key, { text: typed, problem });
          if (variables) latest.current.change(variables, "json");
        }),
      ],
    });
    editor.current = view;
    return () => view.destroy();
    // Each fixture has its own undo history.
  }, [key]);
  useEffect(() => {
    if (editor.current) showText(editor.current, text, { annotations: isExternal });
  }, [text]);
  useEffect(() => {
    const completing = autocompletion({ override: [completeJson(schema)], icons: false });
    editor.current?.dispatch({ effects: completion.reconfigure(completing) });
  }, [schema, key]);
  useEffect(() => {
    const timer = setTimeout(() => {
      const next = findingsIn(text, problems);
      const { current: view } = editor;
      view?.dispatch(setDiagnostics(view.state, diagnosticsOf(next)));
      setFindings(next);
    }, MARK_AFTER_MS);
    return () => clearTimeout(timer);
  }, [text, problems]);

  const format = (): void => {
    const { variables, problem } = readJson(text);
    // As if the user had typed it.
    if (variables && editor.current) showText(editor.current, printJson(variables), { userEvent: "input" });
    else if (problem) notify(`Can't format: line ${problem.line} isn't valid JSON yet.`, "error");
  };
  const go = (to: number): void => {
    const { current: view } = editor;
    view?.dispatch({ selection: { anchor: Math.min(to, view.state.doc.length) }, scrollIntoView: true });
    view?.focus();
  };
  const run = (command: Command) => () => {
    const { current: view } = editor;
    if (view) command(view);
    view?.focus();
  };
  return (
    <div className={code.code}>
      <Bar label="JSON tools">
        <IconButton icon={Undo2} label="Undo" keys="mod+z" onClick={run(undo)} />
        <IconButton icon={Redo2} label="Redo" keys="mod+shift+z" onClick={run(redo)} />
        <Space />
        <IconButton icon={ChevronsDownUp} label="Fold all" onClick={run(foldAll)} />
        <IconButton icon={ChevronsUpDown} label="Unfold all" onClick={run(unfoldAll)} />
        <IconButton icon={AlignLeft} label="Format" disabled={editing.obstacle !== undefined} onClick={format} />
        <CopyButton text={text} what="JSON" />
      </Bar>
      <div ref={host} className={code.text} />
      <JsonFindings findings={findings} onGo={go} />
    </div>
  );
};

/** The draft if it matches the variables or is invalid JSON, otherwise the variables. */
function textOf({ draft, input }: Editing): string {
  if (draft && (draft.problem || isEqual(readJson(draft.text).variables, input))) return draft.text;
  return printJson(input);
}

/** The problems of the JSON, listed below it. Each leads to its position. */
const JsonFindings = ({
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
