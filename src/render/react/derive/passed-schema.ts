import type { VariablesSchema } from "../../../mustache/variables.js";
import { isKey } from "../runtime/computations.js";
import { type Expression, partsOf } from "../runtime/expression.js";

/**
 * The type of what is passed, with what a component only computes with: that shows in no tag. What has a default, or is
 * asked for, may be left out.
 */
export function withComputed(schema: VariablesSchema, expressions: readonly Expression[]): VariablesSchema {
  return expressions.reduce((whole, expression) => withExpression(whole, expression), schema);
}

function withExpression(schema: VariablesSchema, expression: Expression): VariablesSchema {
  const isAsked = expression.kind === "if" && expression.test.kind === "binary" && expression.test.operator === "!=";
  const asked = isAsked && expression.test.kind === "binary" ? nameOf(expression.test.left) : undefined;
  const own = nameOf(expression);
  const known = own === undefined ? schema : withName(schema, own);
  const whole = asked === undefined ? known : withOptional(withName(known, asked), asked);
  return partsOf(expression).reduce(withExpression, whole);
}

/** The name of a variable that is in no other. */
function nameOf(expression: Expression): string | undefined {
  if (expression.kind !== "variable" || expression.loop) return undefined;
  const [name] = expression.names;
  return name === undefined || isKey(name) || expression.names.length > 1 ? undefined : name;
}

/** Anything, where nothing else shows what it is. */
function withName(schema: VariablesSchema, name: string): VariablesSchema {
  if (schema.properties && Object.hasOwn(schema.properties, name)) return schema;
  return { ...schema, properties: { ...schema.properties, [name]: {} } };
}

function withOptional(schema: VariablesSchema, name: string): VariablesSchema {
  return { ...schema, required: (schema.required ?? []).filter((each) => each !== name) };
}
