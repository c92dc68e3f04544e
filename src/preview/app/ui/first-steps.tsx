import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { CopyButton } from "./copy.js";
import styles from "./first-steps.module.css";

/** A line to copy, and what it is for. */
export interface Step {
  readonly what: string;
  readonly line: string;
}

/** In the place of what has not come yet: how the first of it comes. */
export const FirstSteps = ({
  icon: Icon,
  title,
  about,
  steps,
  children,
}: {
  readonly icon: LucideIcon;
  readonly title: string;
  readonly about: string;
  readonly steps?: readonly Step[];
  readonly children: ReactNode;
}) => (
  <div className={styles.page}>
    <div className={styles.sheet}>
      <Icon size={24} strokeWidth={1.5} aria-hidden />
      <h2>{title}</h2>
      <p>{about}</p>
      {steps && (
        <ul>
          {steps.map(({ what, line }) => (
            <li key={line}>
              <span>{what}</span>
              <div className={styles.line}>
                <code>{line}</code>
                <CopyButton text={line} what={line.includes("=") ? "Variable" : "Command"} />
              </div>
            </li>
          ))}
        </ul>
      )}
      {children}
    </div>
  </div>
);
