import toggle from "../../ui/toggle.module.css";
import type { Control } from "./row.js";

export const BooleanControl = ({
  control,
  value,
  onChange,
}: {
  readonly control: Control;
  readonly value: unknown;
  readonly onChange: (value: boolean) => void;
}) => (
  <span className={toggle.toggle}>
    <input
      {...control}
      type="checkbox"
      role="switch"
      checked={value === true}
      onChange={(event) => onChange(event.target.checked)}
    />
  </span>
);
