import { ChevronDown } from "lucide-react";
import type { Way } from "../schema/ways.js";
import styles from "./form.module.css";

const NOT_SET = "-";

/** Chooses the type of a variable's value, or that it is not set. */
export const WaySelect = ({
  name,
  ways,
  way,
  isOptional,
  onChange,
}: {
  readonly name: string;
  readonly ways: readonly Way[];
  readonly way: Way | undefined;
  readonly isOptional: boolean;
  readonly onChange: (way: Way | undefined) => void;
}) => (
  <span className={styles.way}>
    <select
      aria-label={`Type of ${name}`}
      value={way ? String(ways.indexOf(way)) : NOT_SET}
      onChange={({ target }) => onChange(target.value === NOT_SET ? undefined : ways[Number(target.value)])}
    >
      {ways.map(({ label }, index) => (
        <option key={label} value={String(index)}>
          {label}
        </option>
      ))}
      {isOptional && <option value={NOT_SET}>Not set</option>}
    </select>
    <ChevronDown size={12} aria-hidden />
  </span>
);
