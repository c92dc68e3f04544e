import type { SourcePosition } from "../diagnostic.js";
import { isOpenSchema } from "../mustache/infer.js";
import type { VariablesSchema } from "../mustache/variables.js";
import type { CompileResult, Template } from "../project/template.js";
import type { CompileContext } from "./engine.js";
import { typeMismatches } from "./typed-examples.js";

/** Where the type of a template's variables comes from. */
export interface VariablesExplanation {
  readonly source: "variables.ts" | "type" | "inferred";
  /** The position of the schema or the type, or of the component if its type can't be read. */
  readonly at?: SourcePosition;
  /** Why the type of the component's props can't be read. */
  readonly unread?: string;
  readonly variables: readonly ExplainedVariable[];
  /** Other parts of the type that can't be read. */
  readonly gaps: readonly { readonly at: SourcePosition; readonly unread?: string }[];
}

export interface ExplainedVariable {
  /** `order.items[].price` */
  readonly name: string;
  /** Absent for an unused member of the type that can't be read. */
  readonly schema?: VariablesSchema;
  readonly isRequired: boolean;
  readonly source: "variables.ts" | "type" | "fixtures" | "use" | "nothing";
  /** Where its type is written. */
  readonly at?: SourcePosition;
  /** Why its type can't be used, usually because it can't be read. */
  readonly unread?: string;
  /** The fixtures that it is inferred from. */
  readonly fixtures?: readonly string[];
}

/**
 * Explains for each variable of a template where its type comes from.
 *
 * @example
 * const { variables } = await explainVariables(result, context);
 * variables[0]; // { name: "note", isRequired: false, source: "type", at: { file, line: 4, column: 3 }, schema: { type: "string" } }
 */
export async function explainVariables(
  { template, compiled }: Pick<CompileResult, "template" | "compiled">,
  context: CompileContext,
): Promise<VariablesExplanation> {
  const { variablesFile } = template;
  const fixtures = compiled?.fixtures ?? template.fixtures.map(({ name, variables }) => ({ name, input: variables }));
  if (variablesFile !== undefined) {
    const at = { file: variablesFile };
    const variables = variablesIn(compiled?.contract.input ?? {}, () => ({ source: "variables.ts", at }));
    return { source: "variables.ts", at, variables, gaps: [] };
  }
  const inferred = (name: string): Origin => {
    const fixturesWithValue = fixtures
      .filter(({ input }) => hasValue(input, stepsOf(name)))
      .map((fixture) => fixture.name);
    return fixturesWithValue.length > 0 ? { source: "fixtures", fixtures: fixturesWithValue } : { source: "use" };
  };
  const type = await typeOf(template, context);
  if (!type?.schema) {
    const variables = variablesIn(compiled?.contract.input ?? {}, inferred);
    const { at, unread } = type ?? {};
    return {
      source: "inferred",
      ...(at && { at }),
      ...(unread !== undefined && { unread }),
      variables,
      gaps: [],
    };
  }
  const { schema, origins, gaps, at } = type;
  const [preview] = template.fixtures.length === 0 ? fixtures : [];
  const misfits = preview ? typeMismatches(preview.input, schema).map(({ path }) => String(path[0])) : [];
  const originOf = (name: string, typed: readonly VariablesSchema[]): Origin => {
    const [first] = typed;
    if (!first) return inferred(name);
    const origin = typed.map((each) => origins.get(each)).find(Boolean);
    const place = { ...(origin ?? { at }) };
    if (misfits.includes(name.split(/[.[]/)[0] ?? "")) {
      return { ...inferred(name), ...place, unread: "PreviewProps don't match it" };
    }
    return typed.some(isOpenSchema) ? { ...inferred(name), ...place } : { source: "type", ...place };
  };
  const explained = variablesIn(compiled?.contract.input ?? schema, originOf, [schema]);
  const known = new Set(explained.map(({ name }) => name));
  const unused = variablesIn(schema, originOf, [schema])
    .filter(({ name, unread }) => unread !== undefined && !known.has(name))
    .map(({ name, isRequired, at: where, unread }): ExplainedVariable => {
      return {
        name,
        isRequired,
        source: "nothing",
        ...(where && { at: where }),
        ...(unread !== undefined && { unread }),
      };
    });
  return { source: "type", at, variables: [...explained, ...unused], gaps };
}

async function typeOf(template: Template, context: CompileContext) {
  if (template.engine !== "react") return undefined;
  const { propsTypeOf } = await import("./react/types/typed-variables.js");
  return propsTypeOf(template, context);
}

type Origin = Omit<ExplainedVariable, "name" | "schema" | "isRequired">;

/** @param typed The type of the component's props at this place. */
function variablesIn(
  schema: VariablesSchema,
  originOf: (name: string, typed: readonly VariablesSchema[]) => Origin,
  typed: readonly VariablesSchema[] = [],
  before = "",
): ExplainedVariable[] {
  const kinds = schema.anyOf ?? [schema];
  const typedKinds = typed.flatMap((each) => each.anyOf ?? [each]);
  const names = [...new Set(kinds.flatMap(({ properties = {} }) => Object.keys(properties)))];
  const members = names.flatMap((step): ExplainedVariable[] => {
    const name = before === "" ? step : `${before}.${step}`;
    const having = kinds.filter(({ properties = {} }) => Object.hasOwn(properties, step));
    const parts = having.flatMap(({ properties }) => properties?.[step] ?? []);
    const [only] = parts;
    const member = only && parts.length === 1 ? only : { anyOf: parts.flatMap((part) => part.anyOf ?? [part]) };
    const inType = typedKinds.flatMap(({ properties = {} }) =>
      Object.hasOwn(properties, step) ? (properties[step] ?? []) : [],
    );
    const isRequired = kinds.every(({ required }) => required?.includes(step));
    return [
      { name, schema: member, isRequired, ...originOf(name, inType) },
      ...variablesIn(member, originOf, inType, name),
    ];
  });
  const items = kinds.flatMap((kind) => (typeof kind.items === "object" ? [kind.items] : []));
  const typedItems = typedKinds.flatMap((kind) => (typeof kind.items === "object" ? [kind.items] : []));
  return [...members, ...items.flatMap((item) => variablesIn(item, originOf, typedItems, `${before}[]`))];
}

function stepsOf(name: string): string[] {
  return name.replaceAll("[]", ".[]").split(".");
}

function hasValue(value: unknown, [step, ...rest]: readonly string[]): boolean {
  if (step === undefined) return value !== undefined;
  if (step === "[]") return Array.isArray(value) && value.some((item) => hasValue(item, rest));
  return typeof value === "object" && value !== null && hasValue(Reflect.get(value, step), rest);
}
