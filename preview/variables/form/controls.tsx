import { type KeyboardEvent, useState } from "react";
import type { VariablesSchema } from "../../../src/mustache/variables.js";
import { type FieldControl, Select, TextInput, TextArea } from "../../ui/field.js";
import toggle from "../../ui/field.module.css";
import { valuesOf } from "../schema/resolve.js";
import styles from "./form.module.css";
import { classes } from "../../ui/classes.js";

/** With an offset that may be incomplete. */
const dateTime = /^(?:(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2})?)(\.\d+)?([Z+-][\d:]*)?)?$/;

interface ControlProps<Value> {
  readonly control: FieldControl;
  /** May be of another type than what the control sets. */
  readonly value: unknown;
  readonly onChange: (value: Value) => void;
}

/** A date and time as written, with its offset next to it: nothing is converted to another time zone. */
const DateTimeControl = ({ control, value, onChange }: ControlProps<string> & { readonly value: string }) => {
  const [, local = "", fraction = "", offset = value === "" ? "Z" : ""] = dateTime.exec(value) ?? [];
  return (
    <div className={classes(styles.line, styles.dateTime)}>
      <TextInput
        {...control}
        type="datetime-local"
        step={1}
        value={local}
        onChange={({ target }) => onChange(target.value === "" ? "" : withSeconds(target.value) + fraction + offset)}
      />
      <label className={styles.offset}>
        Offset from UTC
        <TextInput
          placeholder="Z"
          value={offset}
          onChange={({ target }) => onChange(local + fraction + target.value)}
        />
      </label>
    </div>
  );
};

/** Browsers leave out seconds that are 0, but the schema requires them. */
function withSeconds(local: string): string {
  return /T\d{2}:\d{2}$/.test(local) ? `${local}:00` : local;
}

/** A string in the control for its format. A value that this control cannot show gets a plain text field. */
export const TextControl = ({
  control,
  format,
  value,
  onChange,
}: ControlProps<string> & { readonly format: string | undefined }) => {
  const text = textOf(value);
  const native = inputs[format ?? ""];
  if (format === "date" && /^(?:\d{4}-\d{2}-\d{2})?$/.test(text))
    return <TextInput {...control} type="date" value={text} onChange={(event) => onChange(event.target.value)} />;
  if (format === "date-time" && dateTime.test(text))
    return <DateTimeControl control={control} value={text} onChange={onChange} />;
  if (native)
    return (
      <TextInput {...control} inputMode={native} value={text} onChange={(event) => onChange(event.target.value)} />
    );
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

/**
 * A number as typed. Input that is not a number yet stays in the field and is passed as a string, which the schema
 * rejects.
 */
export const NumberControl = ({ control, value, onChange }: ControlProps<number | string>) => {
  const [typed, setTyped] = useState("");
  const shown = numberOf(typed) === value ? typed : textOf(value);
  const set = (text: string): void => {
    setTyped(text);
    onChange(numberOf(text));
  };
  const step = (event: KeyboardEvent): void => {
    const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (by === undefined || typeof value !== "number") return;
    event.preventDefault();
    set(String(Number((value + by * (event.shiftKey ? 10 : 1)).toPrecision(15))));
  };
  return (
    <TextInput
      {...control}
      inputMode="decimal"
      value={shown}
      onChange={(event) => set(event.target.value)}
      onKeyDown={step}
    />
  );
};

/** Typed text as a JSON number, or unchanged if it is not one. */
function numberOf(text: string): number | string {
  const isNumber = /^\s*-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i.test(text);
  return isNumber && Number.isFinite(Number(text)) ? Number(text) : text;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

export const BooleanControl = ({ control, value, onChange }: ControlProps<boolean>) => (
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

/** A choice of the schema's values. A different current value stays until the user changes it. */
export const ChoiceControl = ({
  control,
  schema,
  value,
  onChange,
}: ControlProps<unknown> & { readonly schema: VariablesSchema }) => {
  const values: readonly unknown[] = valuesOf(schema);
  const all = values.includes(value) ? values : [value, ...values];
  if (all.length === 1)
    return (
      <output {...control} className={styles.fixed}>
        {wordOf(value)}
      </output>
    );
  return (
    <Select
      control={control}
      value={String(all.indexOf(value))}
      options={all.map((each, index) => ({ value: String(index), label: wordOf(each) }))}
      onChange={(index) => onChange(all[Number(index)])}
    />
  );
};

function wordOf(value: unknown): string {
  return value === "" ? '""' : textOf(value);
}
