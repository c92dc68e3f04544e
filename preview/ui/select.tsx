import { ChevronDown } from "lucide-react";
import { classes } from "./classes.js";
import styles from "./field.module.css";

export interface SelectOption<Value extends string> {
  readonly value: Value;
  readonly label: string;
  readonly isDisabled?: boolean;
}

/** A native select. `label` is its accessible name; inside a `Field`, pass `control` instead. */
export const Select = <Value extends string>({
  label,
  control,
  value,
  options,
  isQuiet,
  isDisabled,
  onChange,
}: {
  readonly label?: string;
  readonly control?: { readonly id: string };
  readonly value: Value;
  readonly options: readonly SelectOption<Value>[];
  /** Without a border, for toolbars. */
  readonly isQuiet?: boolean;
  readonly isDisabled?: boolean;
  readonly onChange: (value: Value) => void;
}) => (
  <span
    className={classes(styles.select, isQuiet && styles.fitted)}
    data-chosen={options.find((option) => option.value === value)?.label}
  >
    <select
      {...control}
      aria-label={label}
      title={label}
      value={value}
      disabled={isDisabled}
      className={classes(styles.input, isQuiet && styles.quiet)}
      onChange={(event) => {
        const chosen = options.find((option) => option.value === event.target.value);
        if (chosen) onChange(chosen.value);
      }}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value} disabled={option.isDisabled}>
          {option.label}
        </option>
      ))}
    </select>
    <ChevronDown size={14} aria-hidden />
  </span>
);
