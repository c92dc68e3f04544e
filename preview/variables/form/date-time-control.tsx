import { classes } from "../../ui/classes.js";
import { Input } from "../../ui/field.js";
import styles from "./form.module.css";
import type { Control } from "./row.js";

/** With an offset that may be incomplete. */
const dateTime = /^(?:(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2})?)(\.\d+)?([Z+-][\d:]*)?)?$/;

export function isDateTime(text: string): boolean {
  return dateTime.test(text);
}

/** A date and time as written, with its offset next to it: nothing is converted to another time zone. */
export const DateTimeControl = ({
  control,
  value,
  onChange,
}: {
  readonly control: Control;
  readonly value: string;
  readonly onChange: (value: string) => void;
}) => {
  const [, local = "", fraction = "", offset = value === "" ? "Z" : ""] = dateTime.exec(value) ?? [];
  return (
    <div className={classes(styles.line, styles.dateTime)}>
      <Input
        {...control}
        type="datetime-local"
        step={1}
        value={local}
        onChange={({ target }) => onChange(target.value === "" ? "" : withSeconds(target.value) + fraction + offset)}
      />
      <label className={styles.offset}>
        Offset from UTC
        <Input placeholder="Z" value={offset} onChange={({ target }) => onChange(local + fraction + target.value)} />
      </label>
    </div>
  );
};

/** Browsers leave out seconds that are 0, but the schema requires them. */
function withSeconds(local: string): string {
  return /T\d{2}:\d{2}$/.test(local) ? `${local}:00` : local;
}
