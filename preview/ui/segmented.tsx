import type { LucideIcon } from "lucide-react";
import { useId } from "react";
import styles from "./segmented.module.css";
import { Spoken } from "./spoken.js";

export interface SegmentedOption<Value extends string> {
  readonly value: Value;
  readonly label: string;
  /** Shown instead of the label, which becomes its accessible name. */
  readonly icon?: LucideIcon;
  readonly isDisabled?: boolean;
}

/** A choice between a few visible options: radio buttons, so that arrow keys move between them. */
export const Segmented = <Value extends string>({
  label,
  value,
  options,
  onChange,
}: {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly SegmentedOption<Value>[];
  readonly onChange: (value: Value) => void;
}) => {
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
            disabled={option.isDisabled}
            onChange={() => onChange(option.value)}
          />
          {Icon ? (
            <>
              <Icon size={16} aria-hidden />
              <Spoken>{option.label}</Spoken>
            </>
          ) : (
            <span>{option.label}</span>
          )}
        </label>
      ))}
    </div>
  );
};
