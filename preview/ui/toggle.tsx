import type { ReactNode } from "react";
import styles from "./toggle.module.css";

/** A switch that takes effect immediately. */
export const Toggle = ({
  label,
  isOn,
  isDisabled,
  onChange,
}: {
  readonly label: ReactNode;
  readonly isOn: boolean;
  readonly isDisabled?: boolean;
  readonly onChange: (isOn: boolean) => void;
}) => (
  <label className={styles.toggle}>
    <input
      type="checkbox"
      role="switch"
      checked={isOn}
      disabled={isDisabled}
      onChange={(event) => onChange(event.target.checked)}
    />
    <span>{label}</span>
  </label>
);
