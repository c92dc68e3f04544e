import { openSearchPanel, searchKeymap } from "@codemirror/search";
import { Download, Search, WrapText } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { foldKeymap } from "@codemirror/language";
import { type Diagnostic, setDiagnostics } from "@codemirror/lint";
import {
  Compartment,
  EditorState,
  type Extension,
  StateEffect,
  StateField,
  type Text,
  type TransactionSpec,
} from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  EditorView,
  highlightActiveLineGutter,
  keymap,
  MatchDecorator,
} from "@codemirror/view";
import { defaultKeymap } from "@codemirror/commands";
import { html } from "@codemirror/lang-html";
import { javascript } from "@codemirror/lang-javascript";
import { json } from "@codemirror/lang-json";
import { useCommands } from "../palette/commands.js";
import { Bar, Space } from "../ui/bar.js";
import { IconButton } from "../ui/button.js";
import { CopyButton, download, downloadFrom } from "../ui/copy.js";
import { pendingFind } from "./later-code-view.js";
import { codeBase, showText } from "./editor.js";
import type { SourceText } from "../../src/preview/contract.js";
import type { Severity } from "../../src/diagnostic.js";
import styles from "./code-view.module.css";

const CLASSES: Readonly<Record<string, string>> = {
  "#": "section",
  "^": "section",
  "/": "section",
  "{": "raw",
  "&": "raw",
};

const decorator = new MatchDecorator({
  regexp: /\{\{\s*([#^/&{!]?)[^{}]*\}?\}\}/g,
  decoration: ([, sigil = ""]) => Decoration.mark({ class: `cm-mustache cm-mustache-${CLASSES[sigil] ?? "variable"}` }),
});

/** Highlights Mustache tags in the visible part of the HTML. */
const mustacheTags = EditorView.decorations.of((view) => decorator.createDeco(view));

type CodeLanguage = SourceText["language"] | "mustache";

const markup: Extension = [
  html({ matchClosingTags: false, autoCloseTags: false, selfClosingTags: true }),
  mustacheTags,
];

const LANGUAGES: Readonly<Record<CodeLanguage, Extension>> = {
  html: markup,
  mjml: markup,
  mustache: markup,
  tsx: javascript({ jsx: true, typescript: true }),
  ts: javascript({ typescript: true }),
  json: [json(), mustacheTags],
  text: mustacheTags,
  css: [],
};

/** The few extensions that a read-only view needs: search, folding and copying. */
const EXTENSIONS: readonly Extension[] = [
  EditorState.readOnly.of(true),
  codeBase,
  highlightActiveLineGutter(),
  keymap.of([...searchKeymap, ...foldKeymap, ...defaultKeymap.filter(({ key }) => key !== "Mod-Enter")]),
];

/** What can change while the code is on screen. */
const settings = new Compartment();

const settingsOf = (language: CodeLanguage, label: string, isWrapped: boolean): Extension => [
  LANGUAGES[language],
  EditorView.contentAttributes.of({ "aria-label": label, "aria-readonly": "true", tabindex: "0" }),
  isWrapped ? EditorView.lineWrapping : [],
];

interface CodeViewProps {
  readonly text: string;
  readonly language: CodeLanguage;
  /** What the code is: "HTML". */
  readonly label: string;
  /** Name of the downloaded file. */
  readonly name: string;
  /** URL of the file to download. Default: the file contains the text. */
  readonly url?: string;
  /** The highlighted line, from 1. */
  readonly line?: number | undefined;
  readonly marks?: readonly Mark[];
  /** Shown at the start of the toolbar. */
  readonly children?: ReactNode;
}

const none: readonly Mark[] = [];

/** Read-only code that can be searched, folded, copied and downloaded. */
export function CodeView({ text, language, label, name, url, line, marks = none, children }: CodeViewProps) {
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView>(undefined);
  const [isWrapped, setIsWrapped] = useState(true);

  useEffect(() => {
    if (!host.current) return undefined;
    const view = new EditorView({ parent: host.current, extensions: [...EXTENSIONS, pointedLine, settings.of([])] });
    editor.current = view;
    if (pendingFind.take()) openSearchPanel(view);
    return () => view.destroy();
  }, []);
  useEffect(() => {
    editor.current?.dispatch({ effects: settings.reconfigure(settingsOf(language, label, isWrapped)) });
  }, [language, label, isWrapped]);
  useEffect(() => {
    if (editor.current) showText(editor.current, text);
  }, [text]);
  useEffect(() => {
    const { current: view } = editor;
    view?.dispatch(setDiagnostics(view.state, diagnosticsOf(view.state.doc, marks)));
  }, [marks, text]);
  useEffect(() => {
    const { current: view } = editor;
    view?.dispatch(pointing(view.state, line));
    // When the text changes, the highlighted line and the scroll position stay.
  }, [line, name]);

  const find = () => editor.current && openSearchPanel(editor.current);
  useCommands([{ id: `find-${label}`, title: `Find in ${label}`, group: "Code", keys: "mod+f", run: find }]);

  return (
    <div className={styles.code}>
      <Bar label={`${label} tools`}>
        {children}
        <Space />
        <IconButton icon={Search} label="Find" keys="mod+f" onClick={find} />
        <IconButton icon={WrapText} label="Wrap lines" isPressed={isWrapped} onClick={() => setIsWrapped(!isWrapped)} />
        <CopyButton text={text} what={label} />
        <IconButton
          icon={Download}
          label={`Download ${name}`}
          onClick={() => (url === undefined ? download(text, name) : downloadFrom(url, name))}
        />
      </Bar>
      <div ref={host} className={styles.text} />
    </div>
  );
}

/** A message about a line. Lines and columns start at 1. */
export interface Mark {
  readonly line: number;
  readonly column?: number;
  readonly severity: Severity;
  readonly message: string;
}

/** Marks on lines that do not exist are skipped. */
function diagnosticsOf(text: Text, marks: readonly Mark[]): Diagnostic[] {
  const known = marks.filter(({ line }) => line >= 1 && line <= text.lines);
  return known.map(({ line, column = 1, severity, message }) => {
    const { from, to, text: written } = text.line(line);
    const start = Math.min(to, from + Math.max(column - 1, written.search(/\S|$/)));
    return { from: start, to, severity, message };
  });
}

const point = StateEffect.define<number | undefined>();
const pointed = Decoration.line({ class: "cm-pointed" });

/** The highlighted line. */
const pointedLine = StateField.define<DecorationSet>({
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
function pointing({ doc }: EditorState, line: number | undefined): TransactionSpec {
  if (line === undefined || line < 1 || line > doc.lines) return { effects: point.of(undefined) };
  const { from } = doc.line(line);
  return {
    selection: { anchor: from },
    effects: [point.of(from), EditorView.scrollIntoView(from, { y: "center" })],
  };
}
