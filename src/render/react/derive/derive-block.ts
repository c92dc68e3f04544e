import type { VariablesSchema } from "../../../mustache/variables.js";
import type { ESTree } from "../../../process/rolldown.js";
import { isFunction } from "../ast.js";
import { type LineChange, lineChanges, type SourceEdit } from "./edits.js";
import type { ParsedModule } from "./modules.js";
import { isIdentifier } from "./print-expression.js";

export interface BlockInput {
  /** The members that `derive` must return, each on separate lines. */
  readonly members: string;
  readonly imports: readonly string[];
  /** The template's `variables.ts`, if it has one. */
  readonly module?: ParsedModule | undefined;
  /** The type of the passed variables, for a new `variables.ts`. */
  readonly schema: VariablesSchema;
}

export interface Block {
  /** Code to append, or the whole file. */
  readonly code: string;
  /** Changes to make to the existing code first. */
  readonly changes: readonly LineChange[];
}

/** The code of `derive`; undefined if the existing one is exported in a way that can't be extended. */
export function deriveBlock({ members, imports, module, schema }: BlockInput): Block | undefined {
  if (!module) {
    const head = ['import { z } from "zod";', ...imports].join("\n");
    const code = `${head}\n\nconst schema = ${zodSchema(schema)};\n\nexport default schema;\n\n${simple("z.output<typeof schema>", members)}`;
    return { code, changes: [] };
  }
  const passed = exportedSchema(module);
  const before = earlierOf(module);
  if (!passed || before === "unknown") return undefined;
  const missing = imports.filter((line) => !module.code.includes(line));
  const parts = [
    missing.join("\n"),
    passed.code,
    before ? adding(passed.type, before, members) : simple(passed.type, members),
  ].filter((part) => part !== "");
  const all = /\btype Derived\b/.test(module.code) ? parts.map((part) => part.replace(DERIVED, "")) : parts;
  const edits = [...passed.edits, ...(before?.edits ?? [])];
  return { code: all.join("\n\n"), changes: lineChanges(edits, new Map([[module.file, module.code]])) };
}

const DERIVED = "\n\nexport type Derived = ReturnType<typeof derive>;";

function simple(type: string, members: string): string {
  return `export function derive(variables: ${type}) {\n  return {\n${members}  };\n}${DERIVED}`;
}

function adding(type: string, { name, takes }: Earlier, members: string): string {
  const [parameter, args] =
    takes > 1 ? [`, context: Parameters<typeof ${name}>[1]`, "passed, context"] : ["", "passed"];
  return [
    `export function derive(passed: ${type}${parameter}) {`,
    `  const earlier = ${name}(${args});`,
    "  const variables = { ...passed, ...earlier };",
    "  return {",
    "    ...earlier,",
    `${members}  };`,
    `}${DERIVED}`,
  ].join("\n");
}

interface Schema {
  readonly type: string;
  readonly code: string;
  readonly edits: readonly SourceEdit[];
}

function exportedSchema({ file, code, program }: ParsedModule): Schema | undefined {
  const exported = program.body.find((statement) => statement.type === "ExportDefaultDeclaration");
  if (!exported) return undefined;
  const { declaration } = exported;
  const zod = program.body.some(
    (statement) =>
      statement.type === "ImportDeclaration" && statement.specifiers.some(({ local }) => local.name === "z"),
  );
  const typeOf = (name: string): string => (zod ? `z.output<typeof ${name}>` : `(typeof ${name})["_zod"]["output"]`);
  if (declaration.type === "Identifier") return { type: typeOf(declaration.name), code: "", edits: [] };
  const name = /\bschema\b/.test(code) ? "variablesSchema" : "schema";
  return {
    type: typeOf(name),
    code: `export default ${name};`,
    edits: [{ file, start: exported.start, end: declaration.start, text: `const ${name} = ` }],
  };
}

interface Earlier {
  readonly name: string;
  readonly takes: number;
  readonly edits: readonly SourceEdit[];
}

/** The existing `derive`, which is kept under another name. */
function earlierOf({ file, code, program }: ParsedModule): Earlier | "unknown" | undefined {
  const names = ["deriveFirst", "deriveSecond", "deriveThird"];
  const name = names.find((each) => !code.includes(each)) ?? `derive${code.length}`;
  for (const statement of program.body) {
    if (statement.type !== "ExportNamedDeclaration") continue;
    const existing = declared(statement.declaration);
    if (existing) {
      const { id, takes } = existing;
      const text = code.slice(statement.declaration?.start, id.start) + name;
      return { name, takes, edits: [{ file, start: statement.start, end: idEnd(id), text }] };
    }
    const isExported = statement.specifiers.some(({ exported }) => "name" in exported && exported.name === "derive");
    if (isExported) return "unknown";
  }
  return undefined;
}

/** The end of an identifier, without its type. */
function idEnd({ start }: ESTree.Node): number {
  return start + "derive".length;
}

function declared(declaration: ESTree.Node | null): { readonly id: ESTree.Node; readonly takes: number } | undefined {
  if (declaration?.type === "FunctionDeclaration" && declaration.id?.name === "derive") {
    return { id: declaration.id, takes: declaration.params.length };
  }
  if (declaration?.type !== "VariableDeclaration") return undefined;
  const declarator = declaration.declarations.find(({ id }) => id.type === "Identifier" && id.name === "derive");
  return declarator?.init && isFunction(declarator.init)
    ? { id: declarator.id, takes: declarator.init.params.length }
    : undefined;
}

/** Writes a schema as zod code, with each member on a line. */
function zodSchema(schema: VariablesSchema, indent = ""): string {
  const { anyOf, type, items, const: only, enum: values } = schema;
  if (only !== undefined) return `z.literal(${JSON.stringify(only)})`;
  if (values) {
    const areStrings = values.every((each) => typeof each === "string");
    return `z.${areStrings ? "enum" : "literal"}([${values.map((each) => JSON.stringify(each)).join(", ")}])`;
  }
  if (anyOf) {
    const isNull = anyOf.some((each) => each.type === "null");
    const kinds = [...new Set(anyOf.filter((each) => each.type !== "null").map((each) => zodSchema(each, indent)))];
    const code = kinds.length > 1 ? `z.union([${kinds.join(", ")}])` : (kinds[0] ?? "z.any()");
    return isNull && kinds.length > 0 ? `${code}.nullable()` : code;
  }
  switch (type) {
    case "string":
    case "number":
    case "boolean":
      return `z.${type}()`;
    case "integer":
      return "z.int()";
    case "array":
      return `z.array(${typeof items === "object" ? zodSchema(items, indent) : "z.any()"})`;
    case "object":
      return zodObject(schema, indent);
    case "null":
    case undefined:
    default:
      return "z.any()";
  }
}

function zodObject({ properties = {}, required = [], additionalProperties }: VariablesSchema, indent: string): string {
  if (typeof additionalProperties === "object")
    return `z.record(z.string(), ${zodSchema(additionalProperties, indent)})`;
  const members = Object.entries(properties).map(([name, member]) => {
    const code = zodSchema(member, `${indent}  `);
    const key = isIdentifier(name) ? name : JSON.stringify(name);
    return `${indent}  ${key}: ${code}${required.includes(name) ? "" : ".optional()"},\n`;
  });
  return members.length === 0 ? "z.object({})" : `z.object({\n${members.join("")}${indent}})`;
}
