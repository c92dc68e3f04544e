import { Plus, X } from "lucide-react";
import { memo, type ReactNode } from "react";
import type { VariablesSchema } from "../../../src/mustache/variables.js";
import { Badge } from "../../ui/badge.js";
import { IconButton } from "../../ui/button.js";
import { pathText } from "../../../src/project/issues.js";
import { pathKey, type ValuePath } from "../path.js";
import { blankValue, chosenWay, convertValue, fieldTypes, type Way } from "../schema/ways.js";
import { isRecord } from "../../../src/values.js";
import { kindOf, resolve } from "../schema/resolve.js";
import { summariseValue, useForm } from "./form-state.js";
import { Items } from "./list-field.js";
import { BooleanControl, ChoiceControl, NumberControl, TextControl } from "./controls.js";
import { Group, Row } from "./row.js";
import { Members } from "./members.js";
import { type FieldControl, Select } from "../../ui/field.js";
import styles from "./form.module.css";

export interface FieldProps {
  readonly name: string;
  readonly part: VariablesSchema;
  /** Undefined if the variable is not set. */
  readonly value: unknown;
  readonly path: ValuePath;
  readonly isRequired?: boolean;
  /** An `item` of a list, an `entry` of an object with arbitrary names, or a member `unknown` to the schema. */
  readonly standing?: "member" | "item" | "entry" | "unknown";
  /** Other actions on its line. */
  readonly actions?: ReactNode;
  readonly isOpenAtFirst?: boolean;
}

/** The field of a variable, chosen by its schema and its value. */
export const VariableField = memo(
  (props: FieldProps) => {
    const { name, part, value, path, isRequired = false, standing = "member", actions } = props;
    const { root, problems, change, add } = useForm();
    const { description, default: preset } = resolve(part, root);
    const ways = fieldTypes(part, root);
    const way = chosenWay(value, ways, root);
    const schema = way?.schema ?? {};
    const set = (next: unknown): void => change(path, next);
    const isOptional = standing === "member" && !isRequired;
    const aside = (
      <>
        {standing === "unknown" && <Badge tone="warning">Unknown</Badge>}
        {(ways.length > 1 || isOptional) && (
          <WaySelect
            name={name}
            ways={ways}
            way={value === undefined ? undefined : way}
            isOptional={isOptional || value === undefined}
            onChange={(chosen: Way | undefined) => set(chosen && convertValue(value, chosen.schema, root))}
          />
        )}
        {(standing === "unknown" || standing === "entry") && (
          <IconButton icon={X} label={`Remove ${pathText(path)}`} onClick={() => set(undefined)} />
        )}
        {actions}
      </>
    );
    const shared = {
      label: name,
      isRequired,
      aside,
      isInline: standing === "item" && ways.length === 1,
      hint: description,
      error: problems.get(pathKey(path)),
    };
    const notSet = (word: string, fresh: VariablesSchema | undefined) => (
      <Row {...shared}>
        {(control) => (
          <NotSet control={control} word={word} onSet={fresh && (() => add(path, blankValue(fresh, root)))} />
        )}
      </Row>
    );
    if (value === undefined)
      return notSet(preset === undefined ? "Not set" : `Not set: ${JSON.stringify(preset)}`, schema);
    const group = { ...shared, path, isOpenAtFirst: props.isOpenAtFirst };
    switch (kindOf(schema)) {
      case "object":
        return (
          <Group {...group} summary={summariseValue(value)}>
            {() => <Members schema={schema} value={isRecord(value) ? value : {}} path={path} />}
          </Group>
        );
      case "list": {
        const list: readonly unknown[] = Array.isArray(value) ? value : [];
        return (
          <Group {...group} count={list.length} summary={summariseValue(list[0])}>
            {() => <Items schema={schema} list={list} path={path} />}
          </Group>
        );
      }
      case "null":
        return notSet("Null", ways[0] === way ? undefined : ways[0]?.schema);
      case "boolean":
        return (
          <Row {...shared} isInline>
            {(control) => <BooleanControl control={control} value={value} onChange={set} />}
          </Row>
        );
      case "choice":
        return (
          <Row {...shared}>
            {(control) => <ChoiceControl control={control} schema={schema} value={value} onChange={set} />}
          </Row>
        );
      case "number":
        return <Row {...shared}>{(control) => <NumberControl control={control} value={value} onChange={set} />}</Row>;
      case "text":
      case "any":
        break;
    }
    return (
      <Row {...shared}>
        {(control) => <TextControl control={control} format={schema.format} value={value} onChange={set} />}
      </Row>
    );
  },
  (one, other) =>
    one.value === other.value &&
    one.part === other.part &&
    one.isRequired === other.isRequired &&
    one.name === other.name &&
    pathKey(one.path) === pathKey(other.path) &&
    one.actions === other.actions,
);

/** Shown instead of a control if there is no value, or null, which is different from an empty value. */
const NotSet = ({
  control,
  word,
  onSet,
}: {
  readonly control: FieldControl;
  readonly word: string;
  readonly onSet: (() => void) | undefined;
}) =>
  onSet ? (
    <button type="button" {...control} className={styles.notSet} onClick={onSet}>
      {word}
      <Plus size={14} aria-hidden />
    </button>
  ) : (
    <output {...control} className={styles.notSet}>
      {word}
    </output>
  );

const NOT_SET = "-";

/** Chooses the type of a variable's value, or that it is not set. */
const WaySelect = ({
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
    <Select
      label={`Type of ${name}`}
      isQuiet
      value={way ? String(ways.indexOf(way)) : NOT_SET}
      options={[
        ...ways.map(({ label }, index) => ({ value: String(index), label })),
        ...(isOptional ? [{ value: NOT_SET, label: "Not set" }] : []),
      ]}
      onChange={(chosen) => onChange(chosen === NOT_SET ? undefined : ways[Number(chosen)])}
    />
  </span>
);
