import type { ReactNode } from "react";
import { CircleX, Info, type LucideIcon, TriangleAlert } from "lucide-react";
import { classes } from "./classes.js";
import type { Severity } from "../../src/diagnostic.js";
import { Spoken } from "./text.js";
import styles from "./badge.module.css";

export type Tone = "neutral" | "accent" | "error" | "warning" | "good";

export const Badge = ({ tone = "neutral", children }: { readonly tone?: Tone; readonly children: ReactNode }) => (
  <span className={classes(styles.badge, styles[tone])}>{children}</span>
);

const icons: Readonly<Record<Severity, LucideIcon>> = { error: CircleX, warning: TriangleAlert, info: Info };
const names: Readonly<Record<Severity, string>> = { error: "Error", warning: "Warning", info: "Note" };

/** An icon for a problem's severity. */
export const SeverityMark = ({ severity }: { readonly severity: Severity }) => {
  const Icon = icons[severity];
  return (
    <span className={styles[severity]}>
      <Icon size={14} aria-hidden />
      <Spoken>{names[severity]}: </Spoken>
    </span>
  );
};
