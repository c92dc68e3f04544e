import { ChevronRight, CloudOff, Columns2, RefreshCw } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Bar, Space } from "../ui/bar.js";
import { Button } from "../ui/button.js";
import { EmptyState } from "../ui/empty-state.js";
import { Loading } from "./loading.js";
import { Moment, Words, Spoken } from "../ui/text.js";
import type { FieldChange, RemoteReport } from "../../src/preview/contract.js";
import { useSource, useSummary, useVersion } from "../state/data.js";
import { compareWithDeployed } from "../stage/panes.js";
import { Badge, type Tone } from "../ui/badge.js";
import { classes } from "../ui/classes.js";
import { counted } from "../state/counts.js";
import styles from "./remote.module.css";

interface Answer {
  /** The template's version at the time of the request. */
  readonly version: string;
  readonly reports?: readonly RemoteReport[];
  readonly trouble?: string;
  readonly isAsking: boolean;
}

interface Remote extends Omit<Answer, "version"> {
  /** Whether the template was saved or the preview restarted after the environments answered. */
  readonly isOld: boolean;
  readonly ask: () => void;
}

/** The state of the view's template in each environment: requested once, and again on demand. */
const useRemote = (): Remote => {
  const name = useSummary()?.name;
  const version = useVersion(name);
  const source = useSource();
  const [answer, setAnswer] = useState<Answer>({ version, isAsking: true });
  const times = useRef(0);
  const ask = async () => {
    if (name === undefined) return;
    const time = ++times.current;
    setAnswer((before) => ({ ...before, isAsking: true }));
    const result = await source.remote(name).then(
      (reports) => ({ reports }),
      (error: unknown) => ({ trouble: error instanceof Error ? error.message : String(error) }),
    );
    // Ignored after a later request, or when the view has changed.
    if (time === times.current) setAnswer({ version, isAsking: false, ...result });
  };
  const latest = useRef(ask);
  useEffect(() => {
    latest.current = ask;
  });
  useEffect(() => {
    void latest.current();
    return () => {
      times.current += 1;
    };
  }, [name, source]);
  const { version: before, ...others } = answer;
  return { ...others, isOld: before !== version, ask: () => void ask() };
};

/** The template's state in each environment, requested when the tab opens. */
export const RemoteTab = () => {
  const remote = useRemote();
  const { isAsking, ask } = remote;
  return (
    <>
      <Bar label="Remote tools">
        <p role="status" className={styles.status}>
          {statusOf(remote)}
        </p>
        <Space />
        <Button icon={RefreshCw} disabled={isAsking} onClick={ask}>
          Refresh
        </Button>
      </Bar>
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
        <Words text={trouble} />
      </EmptyState>
    );
  }
  if (!reports) return <Loading />;
  if (reports.length === 0) {
    return (
      <EmptyState icon={CloudOff} title="No environments">
        Add one to lettershop.config.ts to compare this template with the version deployed there.
      </EmptyState>
    );
  }
  return (
    <ul className={styles.environments}>
      {reports.map((report) => (
        <Environment key={report.environment} report={report} />
      ))}
    </ul>
  );
};

/** The template's state in one environment, with its differences. */
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
        <span className={styles.soft}>
          changed <Moment at={updatedAt} />
        </span>
      )}
      {changes.length > 0 && (
        <span className={styles.soft}>
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
        <Words text={trouble.message} /> {trouble.hint && <Words text={trouble.hint} isHint />}
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

const signs = { same: " ", removed: "−", added: "+", skipped: "⋯" } as const;
const spoken = { same: "", removed: "There: ", added: "Here: ", skipped: "" } as const;

const Change = ({ change: { field, lines } }: { readonly change: FieldChange }) => (
  <details open={lines.length < 40} className={styles.change}>
    <summary className={styles.field}>
      <ChevronRight size={14} aria-hidden />
      <code>{field}</code>
    </summary>
    <pre className={styles.diff} tabIndex={0} aria-label={`${field}: differences`}>
      {lines.map(({ kind, text }, at) => (
        <div key={at} className={classes(styles.line, styles[kind])}>
          <span aria-hidden className={styles.sign}>
            {signs[kind]}
          </span>
          {spoken[kind] && <Spoken>{spoken[kind]}</Spoken>}
          <span>{text}</span>
        </div>
      ))}
    </pre>
  </details>
);
