import { X } from "lucide-react";
import { memo, type ReactNode } from "react";
import type { VariablesSchema } from "../../../src/mustache/variables.js";
import { Badge } from "../../ui/badge.js";
import { IconButton } from "../../ui/button.js";
import { keyOf, type Path, wordsOf } from "../path.js";
import { blankOf, converted } from "../schema/blank.js";
import { kindOf, resolve } from "../schema/resolve.js";
import { chosenWay, fieldWays, type Way } from "../schema/ways.js";
import { BooleanControl } from "./boolean-control.js";
import { ChoiceControl } from "./choice-control.js";
import { useForm, useProblem } from "./form-context.js";
import { ListField } from "./list-field.js";
import { NotSet } from "./not-set.js";
import { NumberControl } from "./number-control.js";
import { ObjectField } from "./object-field.js";
import { Row } from "./row.js";
import { TextControl } from "./text-control.js";
import { WaySelect } from "./way-select.js";

export interface FieldProps {
  readonly name: string;
  readonly part: VariablesSchema;
  /** Undefined if the variable is not set. */
  readonly value: unknown;
  readonly path: Path;
  readonly isRequired?: boolean;
  /** An `item` of a list, an `entry` of an object with arbitrary names, or a member `unknown` to the schema. */
  readonly standing?: "member" | "item" | "entry" | "unknown";
  /** Other actions on its line. */
  readonly actions?: ReactNode;
  readonly isOpenAtFirst?: boolean;
}

/** The field of a variable, chosen by its schema and its value. */
export const Field = memo(
  (props: FieldProps) => {
    const { name, part, value, path, isRequired = false, standing = "member", actions } = props;
    const { root, change, add } = useForm();
    const error = useProblem(path);
    const { description, default: preset } = resolve(part, root);
    const ways = fieldWays(part, root);
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
            onChange={(chosen: Way | undefined) => set(chosen && converted(value, chosen.schema, root))}
          />
        )}
        {(standing === "unknown" || standing === "entry") && (
          <IconButton icon={X} label={`Remove ${wordsOf(path)}`} onClick={() => set(undefined)} />
        )}
        {actions}
      </>
    );
    const shared = {
      label: name,
      isRequired,
      aside,
      isInline: standing === "item" && ways.length === 1,
      ...(description !== undefined && { hint: description }),
      ...(error !== undefined && { error }),
    };
    if (value === undefined)
      return (
        <Row {...shared}>
          {(control) => (
            <NotSet control={control} word={absent(preset)} onSet={() => add(path, blankOf(schema, root))} />
          )}
        </Row>
      );
    switch (kindOf(schema)) {
      case "object":
        return (
          <ObjectField {...shared} schema={schema} value={value} path={path} isOpenAtFirst={props.isOpenAtFirst} />
        );
      case "list":
        return <ListField {...shared} schema={schema} value={value} path={path} isOpenAtFirst={props.isOpenAtFirst} />;
      case "null":
        return (
          <Row {...shared}>
            {(control) => (
              <NotSet
                control={control}
                word="Null"
                {...(ways[0] && ways[0] !== way && { onSet: () => add(path, blankOf(ways[0]?.schema ?? {}, root)) })}
              />
            )}
          </Row>
        );
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
    keyOf(one.path) === keyOf(other.path) &&
    one.actions === other.actions,
);

function absent(preset: unknown): string {
  return preset === undefined ? "Not set" : `Not set: ${JSON.stringify(preset)}`;
}
