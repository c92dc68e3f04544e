import { CircleX, Info, type LucideIcon, TriangleAlert } from "lucide-react";
import type { Severity } from "../../src/diagnostic.js";
import styles from "./severity-mark.module.css";
import { Spoken } from "./spoken.js";

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
