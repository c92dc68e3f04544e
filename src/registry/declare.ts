import type { VariablesContract, VariablesSchema } from "../mustache/variables.js";
import { docComment } from "./doc-comment.js";
import type { Identifiers } from "./identifiers.js";
import { type Printing, printType } from "./print-type.js";

/**
 * Exported TypeScript declarations for a template's variables. The first has the given name; the others are types that it
 * refers to.
 *
 * @example
 * declareVariables("ReceiptVariables", { type: "object", properties: { total: { type: "number" } } }, "…", identifiers);
 * // ["/** … *\/\nexport interface ReceiptVariables {\n  total?: number | undefined;\n}"]
 */
export function declareVariables(
  name: string,
  schema: VariablesSchema,
  description: string,
  identifiers: Identifiers,
): string[] {
  const { references, declarations } = declareReferred(name, schema, identifiers, false);
  const doc = [description, schema.description].filter((part) => part !== undefined && part !== "").join("\n\n");
  return [docComment(doc, "") + declare(name, schema, { references, filled: false }), ...declarations];
}

/**
 * TypeScript declarations for what a template's tags see: the passed variables after parsing, and derived ones. Variables
 * that conditions add are internal and omitted.
 */
export function declareFilled(
  name: string,
  { input, derived = {} }: Pick<VariablesContract, "input" | "derived">,
  description: string,
  identifiers: Identifiers,
): string[] {
  const { properties = {}, required = [], $defs = {} } = referringAs("derived", derived);
  const passed = (input.required ?? []).filter((each) => !Object.hasOwn(properties, each));
  const filled: VariablesSchema = {
    ...input,
    properties: { ...input.properties, ...properties },
    required: [...passed, ...required],
    $defs: { ...input.$defs, ...$defs },
  };
  const { references, declarations } = declareReferred(name, filled, identifiers, true);
  return [docComment(description, "") + declare(name, filled, { references, filled: true }), ...declarations];
}

/** Renames a schema's definitions, so that they can be merged with those of another schema. */
function referringAs(prefix: string, { $defs = {}, ...schema }: VariablesSchema): VariablesSchema {
  const definitions = Object.entries($defs).map(([name, definition]) => [`${prefix}-${name}`, definition]);
  const all = { ...schema, $defs: Object.fromEntries(definitions) };
  return JSON.parse(
    JSON.stringify(all, (key, value: unknown) =>
      key === "$ref" && typeof value === "string" ? value.replace("#/$defs/", `#/$defs/${prefix}-`) : value,
    ),
  );
}

function declareReferred(
  name: string,
  { $defs = {} }: VariablesSchema,
  identifiers: Identifiers,
  filled: boolean,
): { references: Printing["references"]; declarations: string[] } {
  const names = Object.keys($defs).map((each) => [`#/$defs/${each}`, identifiers.typeName(`${name}-${each}`)] as const);
  const references = new Map([["#", name], ...names]);
  const declarations = Object.entries($defs).map(
    ([key, definition]) =>
      docComment(definition.description, "") +
      declare(references.get(`#/$defs/${key}`) ?? key, definition, { references, filled }),
  );
  return { references, declarations };
}

function declare(name: string, schema: VariablesSchema, printing: Printing): string {
  const text = printType(schema, printing);
  if (text.startsWith("{") && text.endsWith("}") && schema.type === "object") return `export interface ${name} ${text}`;
  return `export type ${name} = ${text};`;
}
