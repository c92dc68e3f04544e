import { type InputHTMLAttributes, type ReactNode, type Ref, type TextareaHTMLAttributes, useId } from "react";
import { classes } from "./classes.js";
import styles from "./field.module.css";

export interface FieldControl {
  readonly id: string;
  readonly "aria-describedby"?: string;
  readonly "aria-invalid"?: true;
}

/** A control with its label above and what is to be said about it below; `children` gets what ties them together. */
export const Field = ({
  label,
  note,
  hint,
  error,
  children,
}: {
  readonly label: ReactNode;
  /** Beside the label: "optional", a type. */
  readonly note?: ReactNode;
  readonly hint?: ReactNode;
  readonly error?: string;
  readonly children: (control: FieldControl) => ReactNode;
}) => {
  const id = useId();
  const said = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        {label}
        {note && <span className={styles.note}>{note}</span>}
      </label>
      {children({ id, ...(said && { "aria-describedby": said }), ...(error && { "aria-invalid": true }) })}
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
