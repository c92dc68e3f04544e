import { ChevronRight, CloudOff, Columns2, RefreshCw } from "lucide-react";
import { Button } from "../ui/button.js";
import { EmptyState } from "../ui/empty-state.js";
import { LoadingRows, RequestBar } from "./rows.js";
import { AnswerStore } from "../state/stores.js";
import { Moment, MessageText, Spoken } from "../ui/text.js";
import { useLayoutEffect } from "react";
import type { FieldChange, RemoteReport } from "../../src/preview/contract.js";
import { useSource, useSummary, useVersion } from "../state/data.js";
import { compareWithDeployed } from "../stage/panes.js";
import { Badge, type Tone } from "../ui/badge.js";
import { classes } from "../ui/classes.js";
import { counted } from "../state/counts.js";
import styles from "./remote.module.css";

const answers = new AnswerStore<{ readonly version: string; readonly reports: readonly RemoteReport[] }>();

/** The state of the view's template in each environment: requested once, and again on demand. */
const useRemote = () => {
  const name = useSummary()?.name ?? "";
  const version = useVersion(name);
  const source = useSource();
  const ask = () =>
    void answers.ask(
      name,
      source.remote(name).then((reports) => ({ version, reports })),
    );
  useLayoutEffect(() => {
    answers.set(name, undefined);
    if (name !== "") ask();
    // Saving asks nothing, because environments take a while to answer.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [name, source]);
  const { value, trouble, isAsking } = answers.use(name) ?? { isAsking: true };
  // Whether the template was saved or the preview restarted after the environments answered.
  const isOld = value !== undefined && value.version !== version;
  return { reports: value?.reports, trouble, isAsking, isOld, ask };
};

type Remote = ReturnType<typeof useRemote>;

/** The template's state in each environment, requested when the tab opens. */
export const RemoteTab = () => {
  const remote = useRemote();
  const { isAsking, ask } = remote;
  return (
    <>
      <RequestBar
        label="Remote tools"
        status={statusOf(remote)}
        icon={RefreshCw}
        action="Refresh"
        isAsking={isAsking}
        onAsk={ask}
      />
      <Environments remote={remote} />
    </>
  );
};

const statusOf = ({ isAsking, isOld, reports }: Remote): string => {
  if (isAsking) return "Checking environments…";
  if (!reports) return "";
  return isOld
    ? "This may be out of date. Refresh to compare again."
    : "The deployed version, compared with the one compiled here.";
};

const Environments = ({ remote: { reports, trouble } }: { readonly remote: Remote }) => {
  if (trouble !== undefined) {
    return (
      <EmptyState icon={CloudOff} title="Couldn't check the environments">
        <MessageText text={trouble} />
      </EmptyState>
    );
  }
  if (!reports) return <LoadingRows />;
  if (reports.length === 0) {
    return (
      <EmptyState icon={CloudOff} title="No environments">
        Add one to lettershop.config.ts to compare this template with the version deployed there.
      </EmptyState>
    );
  }
  return (
    <ul className="scroll">
      {reports.map((report) => (
        <Environment key={report.environment} report={report} />
      ))}
    </ul>
  );
};

const Environment = ({
  report: { environment, state, updatedAt, changes, trouble },
}: {
  readonly report: RemoteReport;
}) => (
  <li className={styles.environment}>
    <div className={styles.head}>
      <h2>{environment}</h2>
      <Badge tone={trouble ? "neutral" : toneOf(state)}>{trouble ? "unknown" : state}</Badge>
      {updatedAt !== undefined && (
        <span className="soft">
          changed <Moment at={updatedAt} />
        </span>
      )}
      {changes.length > 0 && (
        <span className="soft">
          {counted(changes.length, "field")} {changes.length === 1 ? "differs" : "differ"}
        </span>
      )}
      {updatedAt !== undefined && (
        <Button
          icon={Columns2}
          aria-label={`Show next to this one: ${environment}`}
          onClick={() => compareWithDeployed(environment)}
        >
          Show next to this one
        </Button>
      )}
    </div>
    {trouble && (
      <p className={styles.trouble}>
        <MessageText text={trouble.message} /> {trouble.hint && <MessageText text={trouble.hint} isHint />}
      </p>
    )}
    {changes.map((change) => (
      <Change key={change.field} change={change} />
    ))}
  </li>
);

/** The states are sync's own terms. */
const toneOf = (state: string): Tone => {
  if (state === "unchanged") return "good";
  if (state.startsWith("excluded")) return "neutral";
  return state.startsWith("to ") && !state.includes("breaking") ? "accent" : "warning";
};

type LineKind = FieldChange["lines"][number]["kind"];

const marks: Readonly<Record<LineKind, readonly [sign: string, spoken?: string, tone?: Tone]>> = {
  same: [" "],
  removed: ["−", "There: ", "error"],
  added: ["+", "Here: ", "good"],
  skipped: ["⋯"],
};

const Change = ({ change: { field, lines } }: { readonly change: FieldChange }) => (
  <details open={lines.length < 40} className="box">
    <summary className={styles.field}>
      <ChevronRight size={14} aria-hidden className="turns" />
      <code>{field}</code>
    </summary>
    <pre className={styles.diff} tabIndex={0} aria-label={`${field}: differences`}>
      {lines.map(({ kind, text }, at) => {
        const [sign, spoken, tone] = marks[kind];
        return (
          <div key={at} data-tone={tone} className={classes(styles.line, kind === "skipped" && "soft")}>
            <span aria-hidden className={styles.sign}>
              {sign}
            </span>
            {spoken && <Spoken>{spoken}</Spoken>}
            <span>{text}</span>
          </div>
        );
      })}
    </pre>
  </details>
);
