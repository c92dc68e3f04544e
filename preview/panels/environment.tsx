import { ChevronRight, Columns2 } from "lucide-react";
import type { FieldChange, RemoteReport } from "../../src/preview/contract.js";
import { compareWithDeployed } from "../stage/panes.js";
import { Badge, type Tone } from "../ui/badge.js";
import { Button } from "../ui/button.js";
import { classes } from "../ui/classes.js";
import { Spoken } from "../ui/spoken.js";
import styles from "./remote.module.css";
import { counted } from "../state/counts.js";
import { Moment, Words } from "./words.js";

/** The template's state in one environment, with its differences. */
export const Environment = ({
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
