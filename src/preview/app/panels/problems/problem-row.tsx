import { ChevronRight } from "lucide-react";
import { memo, useState } from "react";
import type { Problem } from "../../../contract.js";
import { classes } from "../../ui/classes.js";
import { placeInWords, showElement, showSource } from "../show.js";
import { rowProps } from "../use-rows.js";
import { Words } from "../words.js";
import { ProblemDetails } from "./problem-details.js";
import styles from "./problems.module.css";
import { SeverityMark } from "./severity.js";

/** One finding: its line in the source is a click away, what to do about it another. */
export const ProblemRow = memo(({ problem, isShown }: { readonly problem: Problem; readonly isShown: boolean }) => {
  const [isOpen, setIsOpen] = useState(false);
  const { severity, message, rule, at, place } = problem;
  const choose = () => {
    if (at?.line !== undefined) showSource(at, place);
    else if (place !== undefined) showElement(place);
    else setIsOpen(!isOpen);
  };
  return (
    <li data-row-of className={classes(styles.item, isShown && styles.shown, isOpen && styles.open)}>
      <div className={styles.row}>
        <button
          type="button"
          tabIndex={-1}
          aria-expanded={isOpen}
          aria-label="Details"
          className={styles.disclose}
          onClick={() => setIsOpen(!isOpen)}
        >
          <ChevronRight size={14} aria-hidden className={classes(isOpen && styles.turned)} />
        </button>
        <button
          type="button"
          {...rowProps}
          aria-current={isShown || undefined}
          className={styles.main}
          onClick={choose}
        >
          <SeverityMark severity={severity} />
          <span className={styles.message} title={isOpen ? undefined : message}>
            <Words text={message} />
          </span>
          <span className={styles.rule}>{rule}</span>
          {at && (
            <span className={styles.place} title={at.file}>
              {placeInWords(at)}
            </span>
          )}
        </button>
      </div>
      {isOpen && <ProblemDetails problem={problem} />}
    </li>
  );
});
