import { type KeyboardEvent, useState } from "react";
import { Input } from "../../ui/field.js";
import type { Control } from "./row.js";

/**
 * A number as typed. Input that is not a number yet stays in the field and is passed as a string, which the schema
 * rejects.
 */
export const NumberControl = ({
  control,
  value,
  onChange,
}: {
  readonly control: Control;
  readonly value: unknown;
  readonly onChange: (value: number | string) => void;
}) => {
  const [typed, setTyped] = useState("");
  const shown = valueOf(typed) === value ? typed : textOf(value);
  const set = (text: string): void => {
    setTyped(text);
    onChange(valueOf(text));
  };
  const step = (event: KeyboardEvent): void => {
    const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (by === undefined || typeof value !== "number") return;
    event.preventDefault();
    set(String(Number((value + by * (event.shiftKey ? 10 : 1)).toPrecision(15))));
  };
  return (
    <Input
      {...control}
      inputMode="decimal"
      value={shown}
      onChange={(event) => set(event.target.value)}
      onKeyDown={step}
    />
  );
};

/** Typed text as a JSON number, or unchanged if it is not one. */
function valueOf(text: string): number | string {
  const isNumber = /^\s*-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i.test(text);
  return isNumber && Number.isFinite(Number(text)) ? Number(text) : text;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
