import { type ReactNode, useId } from "react";
import { Words, Spoken } from "../../ui/text.js";
import styles from "./form.module.css";

/** The attributes that connect a control with its label and notes. */
export interface Control {
  readonly id: string;
  readonly "aria-describedby"?: string;
  readonly "aria-invalid"?: true;
}

export interface RowProps {
  readonly label: ReactNode;
  readonly isRequired?: boolean;
  readonly hint?: string;
  readonly error?: string;
  /** Whether the control is small enough for the label's line. */
  readonly isInline?: boolean;
  /** Shown at the end of the label's line. */
  readonly aside?: ReactNode;
  readonly children: (control: Control) => ReactNode;
}

/** One variable: its name, its control, its hint and its error. */
export const Row = ({ label, isRequired, hint, error, aside, isInline, children }: RowProps) => {
  const id = useId();
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  const control = children({
    id,
    ...(describedBy && { "aria-describedby": describedBy }),
    ...(error && { "aria-invalid": true }),
  });
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
      <Notes id={id} hint={hint} error={error} />
    </div>
  );
};

export const RequiredMark = () => (
  <span className={styles.required} title="Required">
    <span aria-hidden>*</span>
    <Spoken>(required)</Spoken>
  </span>
);

export const Notes = ({
  id,
  hint,
  error,
}: {
  readonly id?: string;
  readonly hint: string | undefined;
  readonly error: string | undefined;
}) => (
  <>
    {error && (
      <p id={id && `${id}-error`} className={styles.error}>
        {error}
      </p>
    )}
    {hint && (
      <p id={id && `${id}-hint`} className={styles.hint}>
        <Words text={hint} />
      </p>
    )}
  </>
);
