import { SeverityMark } from "../../ui/badge.js";
import type { JsonFinding } from "./lint.js";
import styles from "./json-findings.module.css";

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
