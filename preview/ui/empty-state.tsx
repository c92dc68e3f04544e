import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { CopyLine } from "./copy.js";
import styles from "./empty-state.module.css";

/** Shown in place of missing content: what is missing and what to do. */
export const EmptyState = ({
  icon: Icon,
  title,
  children,
  action,
}: {
  readonly icon?: LucideIcon;
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}) => (
  <div className={styles.empty}>
    {Icon && <Icon size={24} strokeWidth={1.5} aria-hidden />}
    <h2>{title}</h2>
    {children && <div className={styles.words}>{children}</div>}
    {action && <div className={styles.action}>{action}</div>}
  </div>
);

/** A line to copy and its purpose. */
interface Step {
  readonly what: string;
  readonly line: string;
}

/** Shown while there is no content yet: how to create the first. */
export const FirstSteps = ({
  icon: Icon,
  title,
  about,
  action,
  steps,
  children,
}: {
  readonly icon: LucideIcon;
  readonly title: string;
  readonly about: string;
  /** A button that does it. */
  readonly action?: ReactNode;
  readonly steps?: readonly Step[];
  readonly children: ReactNode;
}) => (
  <div className="page">
    <div className={styles.sheet}>
      <Icon size={24} strokeWidth={1.5} aria-hidden />
      <h2>{title}</h2>
      <p>{about}</p>
      {action && <div className={styles.firstAction}>{action}</div>}
      {steps && (
        <ul className={styles.steps}>
          {steps.map(({ what, line }) => (
            <li key={line} className={styles.step}>
              <span>{what}</span>
              <CopyLine line={line} what={line.includes("=") ? "Variable" : "Command"} />
            </li>
          ))}
        </ul>
      )}
      {children}
    </div>
  </div>
);

/** A placeholder for a line of text that is loading. */
export const Skeleton = ({ width }: { readonly width: string }) => (
  <span aria-hidden className={styles.skeleton} style={{ width }} />
);
