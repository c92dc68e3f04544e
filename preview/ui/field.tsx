import { ChevronDown, type LucideIcon } from "lucide-react";
import { type ComponentProps, type ReactNode, useId } from "react";
import { classes } from "./classes.js";
import styles from "./field.module.css";

/** The attributes that connect a control with its label and notes. */
export interface FieldControl {
  readonly id: string;
  readonly "aria-describedby"?: string;
  readonly "aria-invalid"?: true;
}

interface Noted {
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
}

export const controlOf = (id: string, { hint, error }: Noted): FieldControl => {
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  return { id, ...(describedBy && { "aria-describedby": describedBy }), ...(error && { "aria-invalid": true }) };
};

/** Below the control with this ID. */
export const Notes = ({ id, hint, error }: Noted & { readonly id: string }) => (
  <>
    {error && (
      <p id={`${id}-error`} className={styles.error}>
        {error}
      </p>
    )}
    {hint && (
      <p id={`${id}-hint`} className="small">
        {hint}
      </p>
    )}
  </>
);

/**
 * A control with its label above and a hint or an error below. `children` receives the attributes that connect them.
 */
export const Field = ({
  label,
  note,
  hint,
  error,
  children,
}: Noted & {
  readonly label: ReactNode;
  /** Shown next to the label, such as "optional" or a type. */
  readonly note?: ReactNode;
  readonly children: (control: FieldControl) => ReactNode;
}) => {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        {label}
        {note && <span className={styles.note}>{note}</span>}
      </label>
      {children(controlOf(id, { hint, error }))}
      <Notes id={id} hint={hint} error={error} />
    </div>
  );
};

export const TextInput = ({ className, ...native }: ComponentProps<"input">) => (
  <input autoComplete="off" spellCheck={false} className={classes(styles.input, className)} {...native} />
);

export const TextArea = ({ className, ...native }: ComponentProps<"textarea">) => (
  <textarea rows={2} spellCheck={false} className={classes(styles.input, className)} {...native} />
);

export interface Option<Value extends string> {
  readonly value: Value;
  readonly label: string;
  /** For `Segmented`: shown instead of the label, which becomes its accessible name. */
  readonly icon?: LucideIcon;
  /** For `Select`. */
  readonly isDisabled?: boolean;
}

interface ChoiceProps<Value extends string> {
  readonly label?: string;
  readonly value: Value;
  readonly options: readonly Option<Value>[];
  readonly onChange: (value: Value) => void;
}

/** A native select. `label` is its accessible name; inside a `Field`, pass `control` instead. */
export const Select = <Value extends string>({
  label,
  control,
  value,
  options,
  isQuiet,
  onChange,
}: ChoiceProps<Value> & {
  readonly control?: { readonly id: string };
  /** Without a border, for toolbars. */
  readonly isQuiet?: boolean;
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

/** A choice between a few visible options: radio buttons, so that arrow keys move between them. */
export const Segmented = <Value extends string>({ label, value, options, onChange }: ChoiceProps<Value>) => {
  const name = useId();
  return (
    <div role="radiogroup" aria-label={label} className={styles.group}>
      {options.map(({ icon: Icon, ...option }) => (
        <label key={option.value} className={styles.option} title={Icon && option.label}>
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {Icon && <Icon size={16} aria-hidden />}
          <span className={Icon && "spoken"}>{option.label}</span>
        </label>
      ))}
    </div>
  );
};

/** A switch that takes effect immediately. */
export const Toggle = ({
  label,
  isOn,
  onChange,
}: {
  readonly label: ReactNode;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}) => (
  <label className={styles.toggle}>
    <input type="checkbox" role="switch" checked={isOn} onChange={(event) => onChange(event.target.checked)} />
    <span>{label}</span>
  </label>
);
