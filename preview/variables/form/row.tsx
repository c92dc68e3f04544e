import { type ReactNode, useId, useState } from "react";
import { ChevronRight } from "lucide-react";
import { type FieldControl, Notes, controlOf } from "../../ui/field.js";
import { MessageText, Spoken } from "../../ui/text.js";
import { Badge } from "../../ui/badge.js";
import { counted } from "../../state/counts.js";
import type { ValuePath } from "../path.js";
import { useForm } from "./form-state.js";
import styles from "./form.module.css";

interface Described {
  readonly label: ReactNode;
  readonly isRequired?: boolean;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
  /** Shown at the end of the label's line. */
  readonly aside?: ReactNode;
  /** Whether a control is small enough for the label's line. */
  readonly isInline?: boolean;
}

interface RowProps extends Described {
  readonly children: (control: FieldControl) => ReactNode;
}

/** One variable: its name, its control, its hint and its error. */
export const Row = ({ label, isRequired, hint, error, aside, isInline, children }: RowProps) => {
  const id = useId();
  const control = children(controlOf(id, { hint, error }));
  return (
    <div className={styles.row}>
      <div className={styles.head}>
        <label htmlFor={id} className={styles.label}>
          {label}
          {isRequired && <RequiredMark />}
        </label>
        {isInline && <div className={styles.inline}>{control}</div>}
        {aside}
      </div>
      {!isInline && control}
      <Notes id={id} hint={hint && <MessageText text={hint} />} error={error} />
    </div>
  );
};

const RequiredMark = () => (
  <span className={styles.required} title="Required">
    <span aria-hidden>*</span>
    <Spoken>(required)</Spoken>
  </span>
);

interface GroupProps extends Described {
  readonly path: ValuePath;
  /** A short summary of the content, shown while the group is closed. */
  readonly summary?: string;
  /** Number of items. */
  readonly count?: number;
  readonly isOpenAtFirst?: boolean | undefined;
  /** Renders the content once the group is open. */
  readonly children: () => ReactNode;
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
          <ChevronRight size={14} className="soft turns" aria-hidden />
          <span className={styles.label}>
            {label}
            {isRequired && <RequiredMark />}
          </span>
          {count !== undefined && <Badge>{count}</Badge>}
          {problems > 0 && <Badge tone="error">{counted(problems, "problem")}</Badge>}
          {!isOpen && summary && <span className={styles.summary}>{summary}</span>}
        </button>
        {aside}
      </div>
      <Notes id={id} hint={hint && <MessageText text={hint} />} error={error} />
      <div id={id} hidden={!isOpen} className={styles.inside}>
        {isOpen && rest.children()}
      </div>
    </div>
  );
};
