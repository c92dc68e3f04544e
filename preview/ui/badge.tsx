import { CircleX, Info, type LucideIcon, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import type { Severity } from "../../src/diagnostic.js";
import { Spoken } from "./text.js";
import styles from "./badge.module.css";

/** What a colour means. `tokens.css` has the colours of elements with a `data-tone`. */
export type Tone = "neutral" | "accent" | "error" | "warning" | "good";

export const Badge = ({ tone = "neutral", children }: { readonly tone?: Tone; readonly children: ReactNode }) => (
  <span data-tone={tone} className={styles.badge}>
    {children}
  </span>
);

const SEVERITIES: Readonly<Record<Severity, readonly [icon: LucideIcon, name: string]>> = {
  error: [CircleX, "Error"],
  warning: [TriangleAlert, "Warning"],
  info: [Info, "Note"],
};

export const SeverityMark = ({ severity }: { readonly severity: Severity }) => {
  const [Icon, name] = SEVERITIES[severity];
  return (
    <span data-tone={severity} className={styles.severity}>
      <Icon size={14} aria-hidden />
      <Spoken>{name}: </Spoken>
    </span>
  );
};
