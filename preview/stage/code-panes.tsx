import { SquareArrowOutUpRight } from "lucide-react";
import { useId, useMemo, type ReactNode } from "react";
import { CodeView } from "../code/later-code-view.js";
import type { Mark } from "../code/code-view.js";
import type { Problem } from "../../src/preview/contract.js";
import { useOfProject, useReport, useSource, useTemplate } from "../state/data.js";
import { changeView, useView } from "../state/view-store.js";
import { IconButton } from "../ui/button.js";
import { EmptyState } from "../ui/empty-state.js";
import { notifyError } from "../ui/notice.js";
import { countsOf, toneOf } from "../state/counts.js";
import { Tabs, tabPanel } from "../ui/tabs.js";
import { MessageText } from "../ui/text.js";
import { useFilled } from "../variables/filled.js";
import { versionWord, type Pane } from "../state/view.js";
import { classes } from "../ui/classes.js";
import { usePane } from "./panes.js";
import { PaneWarning, showsOtherVersion, VersionBar } from "./version.js";
import styles from "./pane.module.css";

/** The template's files, with their problems marked. */
export function SourceCode() {
  const { detail } = useTemplate();
  const { source } = useView();
  const base = useId();
  const problems = useProblems();
  const sources = detail?.sources ?? [];
  const file = source?.file ?? sources[0]?.file;
  const index = sources.findIndex((each) => each.file === file);
  const shown = sources[index];
  const marks = useMemo(() => problems.flatMap((problem) => markOf(problem, file)), [problems, file]);
  if (!detail) return null;
  const tabs = sources.map((each, at) => {
    const found = problems.filter((problem) => problem.at?.file === each.file);
    const count = found.length > 0 ? found.length : undefined;
    return { id: String(at), label: nameAmong(each.file, sources), count, tone: toneOf(countsOf(found)) };
  });
  return (
    <div className="fill">
      <div className={styles.files}>
        <Tabs
          base={base}
          label="Files"
          tabs={tabs}
          value={String(index)}
          onChange={(id) => {
            const chosen = sources[Number(id)];
            if (chosen) changeView({ source: { file: chosen.file } });
          }}
        />
      </div>
      <div {...tabPanel(base, String(index))} className="fill">
        {shown ? (
          <CodeView
            text={shown.text}
            language={shown.language}
            label="Source"
            name={shown.file.split("/").at(-1) ?? shown.file}
            marks={marks}
            line={source?.line}
          >
            <span className={styles.path} title={shown.file}>
              {shown.file}
            </span>
            <OpenEditor file={shown.file} line={source?.line} />
          </CodeView>
        ) : (
          <EmptyState title="Not one of this template's files">
            {file ? `${file} isn't one of ${detail.name}'s files.` : "It has no files yet."}
          </EmptyState>
        )}
      </div>
    </div>
  );
}

function OpenEditor(place: { readonly file: string; readonly line?: number }) {
  const can = useOfProject((project) => project.can);
  const source = useSource();
  if (!can.openEditor) return null;
  const open = () => void source.openEditor(place).catch(notifyError);
  return <IconButton icon={SquareArrowOutUpRight} label="Open in editor" onClick={open} />;
}

function useProblems(): readonly Problem[] {
  const { detail } = useTemplate();
  const report = useReport();
  return useMemo(() => [...(detail?.failure?.problems ?? []), ...(report?.problems ?? [])], [detail, report]);
}

function markOf({ at, severity, message, hint }: Problem, file: string | undefined): Mark[] {
  if (at?.file !== file || at?.line === undefined) return [];
  const { line, column } = at;
  return [{ line, severity, message: hint ? `${message} ${hint}` : message, ...(column !== undefined && { column }) }];
}

/** The file's name. Includes its folder if another file has the same name. */
function nameAmong(file: string, all: readonly { readonly file: string }[]): string {
  const parts = file.split("/");
  const name = parts.at(-1) ?? file;
  const isShared = all.some((other) => other.file !== file && other.file.split("/").at(-1) === name);
  return isShared ? parts.slice(-2).join("/") : name;
}

/** A filled body, as the service sends it. */
export function FilledCode({ part, children }: { readonly part: "html" | "text"; readonly children: ReactNode }) {
  const { pane } = usePane();
  const { template = "", panes } = useView();
  const version = useFilled(pane);
  const { message, trouble, isOfFixture } = version;
  return (
    <section className={classes(styles.pane, trouble && styles.dimmed)} aria-label={part === "html" ? "HTML" : "Text"}>
      {panes.some(showsOtherVersion) && <VersionBar version={version} />}
      {message ? (
        <CodeView
          text={message[part]}
          language={part === "html" ? "html" : "text"}
          label={part === "html" ? "HTML" : "Text"}
          name={`${template}.${part === "html" ? "html" : "txt"}`}
        >
          {children}
        </CodeView>
      ) : (
        <EmptyState title={trouble ? "Couldn't fill the template" : "Nothing to show yet"}>
          {trouble && <MessageText text={trouble} />}
        </EmptyState>
      )}
      {message && trouble && <PaneWarning isOfFixture={isOfFixture}>{trouble}</PaneWarning>}
    </section>
  );
}

/** One pane for each distinct filled body. Panes that differ only in how they show the email share their bodies. */
export function panesByFill(
  panes: readonly Pane[],
  fixtureOf: (pane: Pane) => string,
): readonly { readonly pane: Pane; readonly index: number }[] {
  const seen = new Set<string>();
  return panes.flatMap((pane, index) => {
    const key = JSON.stringify([fixtureOf(pane), pane.locale, pane.timeZone, versionWord(pane)]);
    if (seen.has(key)) return [];
    seen.add(key);
    return [{ pane, index }];
  });
}
