import type { Variables, VariablesSchema } from "../../../../mustache/variables.js";
import type { Path } from "../path.js";
import { AddMember } from "./add-member.js";
import { Field } from "./field.js";
import styles from "./form.module.css";

const anything: VariablesSchema = {};

/** The members of an object: those of its schema in its order, then what it holds besides. */
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
  const isOpen = additionalProperties !== undefined && additionalProperties !== false;
  const isEmpty = Object.keys(properties).length + others.length === 0;
  return (
    <div className={styles.members}>
      {isEmpty && !isOpen && <p className={styles.nothing}>No variables.</p>}
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
      {others.map((name) => (
        <Field
          key={name}
          name={name}
          part={other}
          value={value[name]}
          path={[...path, name]}
          standing={isOpen ? "entry" : "unknown"}
        />
      ))}
      {isOpen && <AddMember part={other} taken={Object.keys(value)} path={path} />}
    </div>
  );
};
