import type { FrameLine } from "../../contract.js";
import { classes } from "./classes.js";
import styles from "./frame.module.css";

/** Sideways, and only in the frame: what is found late in a long line would be out of sight. */
const bringIntoSight = (mark: HTMLElement | null) => {
  const frame = mark?.closest<HTMLElement>("[role=group]");
  if (!mark || !frame) return;
  const middle = frame.getBoundingClientRect().left + frame.clientWidth / 2;
  const beyond = mark.getBoundingClientRect().left - middle;
  if (beyond > frame.clientWidth / 2 - 48) frame.scrollLeft += beyond;
};

/** The lines around a finding, with a mark under its column. */
export const Frame = ({ lines, column }: { readonly lines: readonly FrameLine[]; readonly column?: number }) => (
  // It scrolls sideways where lines are long: keys have to reach it then.
  <div role="group" className={styles.frame} tabIndex={0} aria-label="Lines around it">
    {lines.map(({ line, text, isAt }) => (
      <div key={line} className={classes(styles.line, isAt && styles.at)}>
        <span className={styles.number}>{line}</span>
        <div>
          {text}
          {isAt && column !== undefined && (
            <div aria-hidden className={styles.caret}>
              {text.slice(0, column - 1).replace(/\S/g, " ")}
              <span ref={bringIntoSight}>^</span>
            </div>
          )}
        </div>
      </div>
    ))}
  </div>
);
