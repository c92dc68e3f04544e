import { openSearchPanel } from "@codemirror/search";
import { Download, Search, WrapText } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useCommands } from "../palette/commands.js";
import { Bar, Space } from "../ui/bar.js";
import { IconButton } from "../ui/button.js";
import { CopyButton } from "../ui/copy.js";
import styles from "./code-view.module.css";
import { CodeReader } from "./editor.js";
import type { CodeLanguage } from "./language.js";
import { type Mark, marking, pointing } from "./marks.js";
import { save } from "./save.js";
import { wantedFind } from "./wanted-find.js";

export interface CodeViewProps {
  readonly text: string;
  readonly language: CodeLanguage;
  /** What the code is: "HTML". */
  readonly label: string;
  /** Name of the downloaded file. */
  readonly name: string;
  /** The highlighted line, from 1. */
  readonly line?: number;
  readonly marks?: readonly Mark[];
  /** Shown at the start of the toolbar. */
  readonly children?: ReactNode;
}

const none: readonly Mark[] = [];

/** Read-only code that can be searched, folded, copied and downloaded. */
export function CodeView({ text, language, label, name, line, marks = none, children }: CodeViewProps) {
  const host = useRef<HTMLDivElement>(null);
  const reader = useRef<CodeReader>(undefined);
  const [isWrapped, setIsWrapped] = useState(true);
  const shown = { text, language, label, isWrapped };
  const first = useRef(shown);

  useEffect(() => {
    if (!host.current) return undefined;
    const created = new CodeReader(host.current, first.current);
    reader.current = created;
    if (wantedFind.take()) openSearchPanel(created.view);
    return () => created.view.destroy();
  }, []);
  useEffect(() => {
    reader.current?.show({ text, language, label, isWrapped });
  }, [text, language, label, isWrapped]);
  useEffect(() => {
    const view = reader.current?.view;
    view?.dispatch(marking(view.state, marks));
  }, [marks, text]);
  useEffect(() => {
    const view = reader.current?.view;
    view?.dispatch(pointing(view.state, line));
    // When the text changes, the highlighted line and the scroll position stay.
  }, [line, name]);

  const find = () => reader.current && openSearchPanel(reader.current.view);
  useCommands([{ id: `find-${label}`, title: `Find in ${label}`, group: "Code", keys: "mod+f", run: find }]);

  return (
    <div className={styles.code}>
      <Bar label={`${label} tools`}>
        {children}
        <Space />
        <IconButton icon={Search} label="Find" keys="mod+f" onClick={find} />
        <IconButton icon={WrapText} label="Wrap lines" isPressed={isWrapped} onClick={() => setIsWrapped(!isWrapped)} />
        <CopyButton text={text} what={label} />
        <IconButton icon={Download} label={`Download ${name}`} onClick={() => save(text, name)} />
      </Bar>
      <div ref={host} className={styles.text} />
    </div>
  );
}
