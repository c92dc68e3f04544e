import type { VariablesSchema } from "../../../src/mustache/variables.js";
import { Select } from "../../ui/select.js";
import { valuesOf } from "../schema/resolve.js";
import styles from "./form.module.css";
import type { Control } from "./row.js";

/** A choice of the schema's values. A different current value stays until the user changes it. */
export const ChoiceControl = ({
  control,
  schema,
  value,
  onChange,
}: {
  readonly control: Control;
  readonly schema: VariablesSchema;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}) => {
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
  return typeof value === "string" && value !== "" ? value : JSON.stringify(value);
}
