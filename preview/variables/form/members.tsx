import { Plus } from "lucide-react";
import { useState } from "react";
import type { Variables, VariablesSchema } from "../../../src/mustache/variables.js";
import type { Path } from "../path.js";
import { blankOf } from "../schema/blank.js";
import { Entry } from "./entry.js";
import { Field } from "./field.js";
import styles from "./form.module.css";
import { useForm } from "./form-context.js";
import { MemberName } from "./member-name.js";

const anything: VariablesSchema = {};

/** The members of an object: those of its schema in the schema's order, then all others. */
export const Members = ({
  schema,
  value,
  path,
}: {
  readonly schema: VariablesSchema;
  readonly value: Variables;
  readonly path: Path;
}) => {
  const { properties = {}, required = [], additionalProperties } = schema;
  const others = Object.keys(value).filter((name) => !Object.hasOwn(properties, name));
  const other = typeof additionalProperties === "object" ? additionalProperties : anything;
  const isOpen = takesOthers(schema);
  const { root, change, add } = useForm();
  const [renamed, setRenamed] = useState<string>();
  const taken = [...Object.keys(properties), ...others];
  const isEmpty = Object.keys(properties).length + others.length === 0;
  return (
    <div className={styles.members}>
      {isEmpty && !isOpen && <p className={styles.nothing}>This object has no properties.</p>}
      {Object.entries(properties).map(([name, part]) => (
        <Field
          key={name}
          name={name}
          part={part}
          value={Object.hasOwn(value, name) ? value[name] : undefined}
          path={[...path, name]}
          isRequired={required.includes(name)}
        />
      ))}
      {others.map((name) => {
        const field = { name, part: other, value: value[name], path: [...path, name] };
        return isOpen ? (
          <Entry
            key={name}
            {...field}
            taken={taken.filter((each) => each !== name)}
            isFocused={name === renamed}
            onRename={(next) => {
              setRenamed(next);
              change(path, withName(value, name, next));
            }}
          />
        ) : (
          <Field key={name} {...field} standing="unknown" />
        );
      })}
      {isOpen && (
        <MemberName
          label="New property name"
          action="Add"
          icon={Plus}
          taken={taken}
          onName={(name) => add([...path, name], blankOf(other, root))}
        />
      )}
    </div>
  );
};

/** Whether there is nothing to fill in and nothing to add. */
export const isNothing = (schema: VariablesSchema, value: Variables): boolean =>
  Object.keys({ ...schema.properties, ...value }).length === 0 && !takesOthers(schema);

const takesOthers = ({ additionalProperties }: VariablesSchema) =>
  additionalProperties !== undefined && additionalProperties !== false;

/** Renames a member without changing the order. */
function withName(members: Variables, name: string, next: string): Variables {
  return Object.fromEntries(Object.entries(members).map(([each, value]) => [each === name ? next : each, value]));
}
