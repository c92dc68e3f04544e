import type { ReactNode } from "react";
import styles from "./badge.module.css";
import { classes } from "./classes.js";

export type Tone = "neutral" | "accent" | "error" | "warning" | "good";

export const Badge = ({ tone = "neutral", children }: { readonly tone?: Tone; readonly children: ReactNode }) => (
  <span className={classes(styles.badge, styles[tone])}>{children}</span>
);
