import { Input, TextArea } from "../../ui/field.js";
import { DateTimeControl, isDateTime } from "./date-time-control.js";
import styles from "./form.module.css";
import type { Control } from "./row.js";

export interface TextControlProps {
  readonly control: Control;
  readonly format: string | undefined;
  readonly value: unknown;
  readonly onChange: (value: string) => void;
}

/** A string in the control for its format. A value that this control cannot show gets a plain text field. */
export const TextControl = ({ control, format, value, onChange }: TextControlProps) => {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const native = inputs[format ?? ""];
  if (format === "date" && /^(?:\d{4}-\d{2}-\d{2})?$/.test(text))
    return <Input {...control} type="date" value={text} onChange={(event) => onChange(event.target.value)} />;
  if (format === "date-time" && isDateTime(text))
    return <DateTimeControl control={control} value={text} onChange={onChange} />;
  if (native)
    return <Input {...control} inputMode={native} value={text} onChange={(event) => onChange(event.target.value)} />;
  return (
    <TextArea
      {...control}
      className={styles.text}
      rows={rowsOf(text)}
      value={text}
      onChange={(event) => onChange(event.target.value)}
    />
  );
};

const inputs: Readonly<Record<string, "email" | "url">> = { email: "email", uri: "url" };

const MOST_ROWS = 10;

/** For browsers that do not size the field to its content. */
function rowsOf(text: string): number {
  const lines = text.split("\n").reduce((count, line) => count + Math.max(1, Math.ceil(line.length / 42)), 0);
  return Math.min(MOST_ROWS, lines);
}
