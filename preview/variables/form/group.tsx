import { ChevronRight } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { Badge } from "../../ui/badge.js";
import type { Path } from "../path.js";
import styles from "./form.module.css";
import { useForm } from "./form-context.js";
import { Notes, RequiredMark } from "./row.js";

export interface GroupProps {
  readonly label: ReactNode;
  readonly path: Path;
  /** A short summary of the content, shown while the group is closed. */
  readonly summary?: string;
  /** Number of items. */
  readonly count?: number;
  readonly isRequired?: boolean;
  readonly hint?: string;
  readonly error?: string;
  readonly aside?: ReactNode;
  readonly isInline?: boolean;
  readonly isOpenAtFirst?: boolean | undefined;
  children(): ReactNode;
}

/** Several variables under one name, in a group that can be folded. */
export const Group = ({ label, path, summary, count, isRequired, hint, error, aside, ...rest }: GroupProps) => {
  const { countAt, isLarge } = useForm();
  const [isOpen, setIsOpen] = useState(rest.isOpenAtFirst ?? !isLarge);
  const id = useId();
  const problems = isOpen ? 0 : countAt(path);
  return (
    <div className={styles.row} role="group" aria-labelledby={`${id}-label`}>
      <div className={styles.head}>
        <button
          type="button"
          id={`${id}-label`}
          className={styles.fold}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setIsOpen(!isOpen)}
        >
          <ChevronRight size={14} aria-hidden />
          <span className={styles.label}>
            {label}
            {isRequired && <RequiredMark />}
          </span>
          {count !== undefined && <Badge>{count}</Badge>}
          {problems > 0 && (
            <Badge tone="error">
              {problems} {problems === 1 ? "problem" : "problems"}
            </Badge>
          )}
          {!isOpen && summary && <span className={styles.summary}>{summary}</span>}
        </button>
        {aside}
      </div>
      <Notes hint={hint} error={error} />
      <div id={id} hidden={!isOpen} className={styles.inside}>
        {isOpen && rest.children()}
      </div>
    </div>
  );
};
