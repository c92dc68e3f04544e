import { CircleX, Info, type LucideIcon, TriangleAlert } from "lucide-react";
import type { Severity } from "../../../../diagnostic.js";
import type { Problem } from "../../../contract.js";
import { severities } from "../../state/counts.js";
import { Spoken } from "../../ui/spoken.js";
import styles from "./problems.module.css";

export const bySeverity = (problems: readonly Problem[]): readonly Problem[] =>
  severities.flatMap((severity) => problems.filter((problem) => problem.severity === severity));

const icons: Readonly<Record<Severity, LucideIcon>> = { error: CircleX, warning: TriangleAlert, info: Info };
const names: Readonly<Record<Severity, string>> = { error: "Error", warning: "Warning", info: "Note" };
export const pluralNames: Readonly<Record<Severity, string>> = { error: "Errors", warning: "Warnings", info: "Notes" };

export const SeverityMark = ({ severity }: { readonly severity: Severity }) => {
  const Icon = icons[severity];
  return (
    <span className={styles[severity]}>
      <Icon size={14} aria-hidden />
      <Spoken>{names[severity]}: </Spoken>
    </span>
  );
};
