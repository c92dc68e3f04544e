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
  /** What it is: "Html". */
  readonly label: string;
  /** Of the file that is downloaded. */
  readonly name: string;
  /** The line that is pointed at, from 1. */
  readonly line?: number;
  readonly marks?: readonly Mark[];
  /** At the start of its bar. */
  readonly children?: ReactNode;
}

const none: readonly Mark[] = [];

/** Code to be read: searched, folded, copied, downloaded. */
export function CodeView({ text, language, label, name, line, marks = none, children }: CodeViewProps) {
  const host = useRef<HTMLDivElement>(null);
  const reader = useRef<CodeReader>(undefined);
  const [isWrapped, setIsWrapped] = useState(true);
  const shown = { text, language, label, isWrapped };
  const first = useRef(shown);

  useEffect(() => {
    if (!host.current) return undefined;
    const made = new CodeReader(host.current, first.current);
    reader.current = made;
    if (wantedFind.take()) openSearchPanel(made.view);
    return () => made.view.destroy();
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
    // A text that is changed keeps the line that is pointed at, and the place that was scrolled to.
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
