import { type InputHTMLAttributes, type ReactNode, type Ref, type TextareaHTMLAttributes, useId } from "react";
import { classes } from "./classes.js";
import styles from "./field.module.css";

export interface FieldControl {
  readonly id: string;
  readonly "aria-describedby"?: string;
  readonly "aria-invalid"?: true;
}

/**
 * A control with its label above and a hint or an error below. `children` receives the attributes that connect them.
 */
export const Field = ({
  label,
  note,
  hint,
  error,
  children,
}: {
  readonly label: ReactNode;
  /** Shown next to the label, such as "optional" or a type. */
  readonly note?: ReactNode;
  readonly hint?: ReactNode;
  readonly error?: string;
  readonly children: (control: FieldControl) => ReactNode;
}) => {
  const id = useId();
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        {label}
        {note && <span className={styles.note}>{note}</span>}
      </label>
      {children({
        id,
        ...(describedBy && { "aria-describedby": describedBy }),
        ...(error && { "aria-invalid": true }),
      })}
      {hint && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className={styles.error}>
          {error}
        </p>
      )}
    </div>
  );
};

export const Input = ({
  className,
  ...native
}: InputHTMLAttributes<HTMLInputElement> & { readonly ref?: Ref<HTMLInputElement> }) => (
  <input autoComplete="off" spellCheck={false} className={classes(styles.input, className)} {...native} />
);

export const TextArea = ({
  className,
  ...native
}: TextareaHTMLAttributes<HTMLTextAreaElement> & { readonly ref?: Ref<HTMLTextAreaElement> }) => (
  <textarea rows={2} spellCheck={false} className={classes(styles.input, className)} {...native} />
);
