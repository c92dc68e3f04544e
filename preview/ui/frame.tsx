import type { FrameLine } from "../../src/preview/contract.js";
import { classes } from "./classes.js";
import styles from "./frame.module.css";

/** Scrolls sideways, and only the frame: a problem late in a long line would be out of view. */
const bringIntoSight = (mark: HTMLElement | null) => {
  const frame = mark?.closest<HTMLElement>("[role=group]");
  if (!mark || !frame) return;
  const middle = frame.getBoundingClientRect().left + frame.clientWidth / 2;
  const beyond = mark.getBoundingClientRect().left - middle;
  if (beyond > frame.clientWidth / 2 - 48) frame.scrollLeft += beyond;
};

/** The lines around a problem, with a mark below its column. */
export const Frame = ({ lines, column }: { readonly lines: readonly FrameLine[]; readonly column?: number }) => (
  // Long lines scroll sideways, which must be possible with the keyboard.
  <div role="group" className={styles.frame} tabIndex={0} aria-label="Code around the problem">
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
