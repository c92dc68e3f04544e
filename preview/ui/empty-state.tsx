import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
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
