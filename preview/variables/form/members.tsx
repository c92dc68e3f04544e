import { Check, type LucideIcon, Pencil, Plus } from "lucide-react";
import { useId, useState } from "react";
import type { Variables, VariablesSchema } from "../../../src/mustache/variables.js";
import type { ValuePath } from "../path.js";
import { takesOthers } from "../schema/resolve.js";
import { blankValue } from "../schema/ways.js";
import { VariableField, type FieldProps } from "./field.js";
import styles from "./form.module.css";
import { useForm } from "./form-state.js";
import { Button, IconButton } from "../../ui/button.js";
import { Notes, TextInput } from "../../ui/field.js";

const anything: VariablesSchema = {};

/** The members of an object: those of its schema in the schema's order, then all others. */
export const Members = ({
  schema,
  value,
  path,
}: {
  readonly schema: VariablesSchema;
  readonly value: Variables;
  readonly path: ValuePath;
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
      {isEmpty && !isOpen && <p className="soft">This object has no properties.</p>}
      {Object.entries(properties).map(([name, part]) => (
        <VariableField
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
          <VariableField key={name} {...field} standing="unknown" />
        );
      })}
      {isOpen && (
        <MemberName
          label="New property name"
          action="Add"
          icon={Plus}
          taken={taken}
          onName={(name) => add([...path, name], blankValue(other, root))}
        />
      )}
    </div>
  );
};

/** Whether there is nothing to fill in and nothing to add. */
export const isNothing = (schema: VariablesSchema, value: Variables): boolean =>
  Object.keys({ ...schema.properties, ...value }).length === 0 && !takesOthers(schema);

/** Renames a member without changing the order. */
function withName(members: Variables, name: string, next: string): Variables {
  return Object.fromEntries(Object.entries(members).map(([each, value]) => [each === name ? next : each, value]));
}

/** A member of an object with arbitrary names: it can be renamed. */
const Entry = ({
  taken,
  isFocused,
  onRename,
  ...field
}: Omit<FieldProps, "standing" | "actions"> & {
  /** Names of the other members. */
  readonly taken: readonly string[];
  /** Whether it gets the focus when it appears. */
  readonly isFocused: boolean;
  readonly onRename: (name: string) => void;
}) => {
  // Undefined until it is renamed for the first time.
  const [isRenaming, setIsRenaming] = useState(isFocused ? false : undefined);
  if (isRenaming)
    return (
      <MemberName
        label={`New name of ${field.name}`}
        action="Rename"
        icon={Check}
        first={field.name}
        taken={taken}
        onName={(name) => {
          setIsRenaming(false);
          if (name !== field.name) onRename(name);
        }}
        onCancel={() => setIsRenaming(false)}
      />
    );
  return (
    <VariableField
      {...field}
      standing="entry"
      actions={
        <IconButton
          // The focus returns to it.
          ref={isRenaming === false ? focus : undefined}
          icon={Pencil}
          label={`Rename ${field.name}`}
          onClick={() => setIsRenaming(true)}
        />
      }
    />
  );
};

const focus = (button: HTMLElement | null) => button?.focus();
const select = (input: HTMLInputElement | null) => input?.select();

/** A field for a member's name, which must be unique. */
const MemberName = ({
  label,
  action,
  icon,
  first = "",
  taken,
  onName,
  onCancel,
}: {
  readonly label: string;
  /** The button's label. */
  readonly action: string;
  readonly icon: LucideIcon;
  /** The initial name, which is selected. */
  readonly first?: string;
  readonly taken: readonly string[];
  readonly onName: (name: string) => void;
  readonly onCancel?: () => void;
}) => {
  const [name, setName] = useState(first);
  const id = useId();
  const isTaken = taken.includes(name);
  const isReady = name !== "" && !isTaken;
  const take = () => {
    if (!isReady) return;
    onName(name);
    setName("");
  };
  return (
    <div className={styles.row}>
      <div className={styles.line}>
        <TextInput
          ref={first === "" ? undefined : select}
          aria-label={label}
          aria-invalid={isTaken || undefined}
          aria-describedby={isTaken ? `${id}-error` : undefined}
          placeholder="Name"
          value={name}
          onChange={(event) => setName(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === "Escape") onCancel?.();
            if (event.key !== "Enter") return;
            event.preventDefault();
            take();
          }}
        />
        <Button icon={icon} disabled={!isReady} onClick={take}>
          {action}
        </Button>
        {onCancel && (
          <Button kind="quiet" onClick={onCancel}>
            Cancel
          </Button>
        )}
      </div>
      <Notes id={id} error={isTaken ? `"${name}" already exists.` : undefined} />
    </div>
  );
};
