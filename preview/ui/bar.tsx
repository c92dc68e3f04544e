import type { ReactNode } from "react";
import styles from "./bar.module.css";
import { classes } from "./classes.js";

/** A row of controls above the content they belong to. With a label, it is a toolbar. */
export const Bar = ({
  label,
  isHigh,
  children,
}: {
  readonly label?: string;
  readonly isHigh?: boolean;
  readonly children: ReactNode;
}) => (
  <div role={label ? "toolbar" : undefined} aria-label={label} className={classes(styles.bar, isHigh && styles.high)}>
    {children}
  </div>
);

/** Moves the rest of a bar's content to its end. */
export const Space = () => <span className={styles.space} />;
