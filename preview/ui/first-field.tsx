import type { ComponentProps } from "react";
import { focusFirst } from "./dialog.js";
import { Field, TextInput } from "./field.js";

/** A dialog's first field. It has the focus when the dialog opens, and its text is selected. */
export const FirstField = ({
  label,
  hint,
  error,
  onChange,
  ...native
}: Omit<ComponentProps<"input">, "onChange"> & {
  readonly label: string;
  /** Shown unless there is an error. */
  readonly hint?: string;
  readonly error: string | undefined;
  readonly onChange: (text: string) => void;
}) => (
  <Field label={label} {...(error === undefined ? { hint } : { error })}>
    {(control) => (
      <TextInput
        {...native}
        {...control}
        ref={focusFirst}
        onFocus={(event) => event.target.select()}
        onChange={({ target }) => onChange(target.value)}
      />
    )}
  </Field>
);
