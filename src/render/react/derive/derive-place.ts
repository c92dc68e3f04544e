import type { VariablesSchema } from "../../../mustache/variables.js";
import type { ESTree } from "../../../process/rolldown.js";
import { childrenOf, type FunctionNode, isFunction } from "../ast.js";
import { type Additions, codeOfAdditions } from "./additions.js";
import { insertion, type SourceEdit } from "./edits.js";
import { addImports, importDeclaration, type NameImport } from "./imports.js";
import { keysIn, mergedEdits } from "./merged-additions.js";
import { annotationOf, type ParsedModule } from "./modules.js";
import { zodSchema } from "./zod-schema.js";

/** A member of what `derive` receives as its second argument. */
export type ContextMember = "locale" | "timeZone";

/** What `derive` must return, and what its code needs. */
export interface DerivedCode {
  readonly additions: Additions;
  readonly imports: readonly NameImport[];
  readonly context: ReadonlySet<ContextMember>;
}

/** A place in `variables.ts` for what `derive` must return. */
export interface DerivePlace {
  /** The code that refers to the variables there. */
  readonly root: string;
  readonly context: (member: ContextMember) => string;
  /**
   * The edits that add code; undefined if it does not fit there.
   *
   * @param mentioned All names in the computations, which may be variables that the existing `derive` returns.
   */
  readonly edits: (code: DerivedCode, mentioned: ReadonlySet<string>) => readonly SourceEdit[] | undefined;
}

const DERIVED = "\nexport type Derived = ReturnType<typeof derive>;\n";

/** In a function of its own. */
export const IN_GENERAL = {
  root: "variables",
  context: (member: ContextMember): string => member,
} as const;

/** In a new `variables.ts`. */
export function newModule(file: string, schema: VariablesSchema): DerivePlace {
  return {
    ...IN_GENERAL,
    edits: (code) => {
      const head = ['import { z } from "zod";', ...code.imports.map(importDeclaration)].join("\n");
      const derive = newDerive("z.output<typeof schema>", code);
      const text = `${head}\n\nconst schema = ${zodSchema(schema)};\n\nexport default schema;\n\n${derive}${DERIVED}`;
      return [insertion(file, 0, text)];
    },
  };
}

/**
 * The possible places in an existing `variables.ts`, the best first.
 *
 * @param derived The names of the variables that its `derive` returns.
 */
export function derivePlaces(module: ParsedModule, derived: readonly string[]): DerivePlace[] {
  const schema = exportedSchema(module);
  const existing = exportedDerive(module);
  const isDerivedTaken = /(?<!export )\b(?:type|interface) Derived\b/.test(module.code);
  if (!schema || existing === "unknown" || isDerivedTaken) return [];
  if (!existing) return [appended(schema, module)];
  const inserted = intoExisting(existing, module, derived);
  return [...(inserted ? [inserted] : []), aroundExisting(existing, schema, module)];
}

function appended(schema: SchemaReference, module: ParsedModule): DerivePlace {
  return {
    ...IN_GENERAL,
    edits: (code) => [
      ...schema.edits,
      ...addImports(code.imports, module),
      atEnd(`\n${newDerive(schema.type, code)}`, module),
    ],
  };
}

function newDerive(type: string, { additions, context }: DerivedCode): string {
  return `export function derive(variables: ${type}${contextParameter(context)}) {\n  return {\n${codeOfAdditions(additions, "    ")}  };\n}\n`;
}

/** `, { locale }: { locale: string }` */
function contextParameter(used: ReadonlySet<ContextMember>): string {
  const names = [...used].toSorted();
  return names.length === 0
    ? ""
    : `, { ${names.join(", ")} }: { ${names.map((name) => `${name}: string`).join("; ")} }`;
}

/** Renames the existing `derive`, and calls it in the new one. */
function aroundExisting(
  { node, id, statement }: ExistingDerive,
  schema: SchemaReference,
  module: ParsedModule,
): DerivePlace {
  const { file, code } = module;
  const names = ["deriveFirst", "deriveSecond", "deriveThird"];
  const name = names.find((each) => !code.includes(each)) ?? `derive${code.length}`;
  const edits: SourceEdit[] = [
    { file, start: statement.start, end: statement.declaration.start, text: "" },
    { file, start: id.start, end: id.start + "derive".length, text: name },
  ];
  return {
    ...IN_GENERAL,
    context: (member) => `context.${member}`,
    edits: ({ additions, imports, context }) => {
      const isContextUsed = node.params.length > 1 || context.size > 0;
      const parameter = isContextUsed ? ", context: { locale: string; timeZone: string }" : "";
      const lines = [
        `\nexport function derive(passed: ${schema.type}${parameter}) {`,
        `  const earlier = ${name}(${["passed", "context"].slice(0, node.params.length).join(", ")});`,
        "  const variables = { ...passed, ...earlier };",
        "  return {",
        "    ...earlier,",
        `${codeOfAdditions(additions, "    ")}  };`,
        "}\n",
      ];
      return [...schema.edits, ...edits, ...addImports(imports, module), atEnd(lines.join("\n"), module)];
    },
  };
}

/** Adds to the object that the existing `derive` returns; undefined if that is not its last and only result. */
function intoExisting(
  { node, isTyped }: ExistingDerive,
  module: ParsedModule,
  derived: readonly string[],
): DerivePlace | undefined {
  const returned = returnedObject(node);
  const variables = variablesParameter(node, module);
  const context = contextMembers(node, module);
  if (isTyped || !returned || !variables || !context) return undefined;
  return {
    root: variables.name,
    context: (member) => context.read(member),
    edits: ({ additions, context: used, imports }, mentioned) => {
      const { own, extended } = keysIn(returned);
      const returnedNames = [...own, ...derived.filter((name) => !extended.has(name))];
      if (returnedNames.some((name) => mentioned.has(name))) return undefined;
      const [parameters, members] = [context.edits(used), mergedEdits(returned, additions, module)];
      if (!parameters || !members) return undefined;
      return [...variables.edits, ...parameters, ...addImports(imports, module), ...members, atEnd("", module)];
    },
  };
}

/** The object literal that a function returns at its end, if it returns nowhere else. */
function returnedObject({ body, async, generator }: FunctionNode): ESTree.ObjectExpression | undefined {
  if (!body || async || generator) return undefined;
  if (body.type === "ObjectExpression") return body;
  const last = body.type === "BlockStatement" ? body.body.at(-1) : undefined;
  if (last?.type !== "ReturnStatement" || last.argument?.type !== "ObjectExpression") return undefined;
  const count = (within: ESTree.Node): number =>
    isFunction(within)
      ? 0
      : childrenOf(within).reduce((sum, child) => sum + count(child), within.type === "ReturnStatement" ? 1 : 0);
  return count(body) === 1 ? last.argument : undefined;
}

/** The name of the first parameter. A pattern is moved into the function, because the code may need other variables. */
function variablesParameter({ params: [parameter], body, start }: FunctionNode, { file, code }: ParsedModule) {
  if (parameter?.type === "Identifier") return { name: parameter.name, edits: [] };
  const isNameFree = !/\bvariables\b/.test(code.slice(start, body?.end));
  if (parameter?.type !== "ObjectPattern" || body?.type !== "BlockStatement" || !isNameFree) return undefined;
  const end = code.lastIndexOf("}", annotationOf(parameter)?.start ?? parameter.end) + 1;
  const pattern = code.slice(parameter.start, end);
  return {
    name: "variables",
    edits: [
      { file, start: parameter.start, end, text: "variables" },
      insertion(file, body.start + 1, `\n  const ${pattern} = variables;`),
    ],
  };
}

/** How a function reads the members of its second parameter, which it need not have yet; undefined if it can't. */
function contextMembers({ params: [first, second] }: FunctionNode, { file, code }: ParsedModule) {
  if (!first) return undefined;
  if (!second) {
    const end = Math.max(first.end, annotationOf(first)?.end ?? 0);
    const isBare = !/^\s*[,)]/.test(code.slice(end));
    const edits = (used: ReadonlySet<ContextMember>): SourceEdit[] => {
      if (used.size === 0) return [];
      const added = insertion(file, end, `${contextParameter(used)}${isBare ? ")" : ""}`);
      return isBare ? [insertion(file, first.start, "("), added] : [added];
    };
    return { read: (member: ContextMember): string => member, edits };
  }
  if (second.type === "Identifier")
    return { read: (member: ContextMember): string => `${second.name}.${member}`, edits: (): SourceEdit[] => [] };
  if (second.type !== "ObjectPattern") return undefined;
  const names = new Map<string, string>(
    second.properties.flatMap((property): [string, string][] =>
      property.type === "Property" && property.key.type === "Identifier" && property.value.type === "Identifier"
        ? [[property.key.name, property.value.name]]
        : [],
    ),
  );
  return {
    read: (member: ContextMember): string => names.get(member) ?? member,
    edits: (used: ReadonlySet<ContextMember>) => ([...used].every((member) => names.has(member)) ? [] : undefined),
  };
}

/** The edit that appends code, and the type of what `derive` returns, if the module does not have it. */
function atEnd(code: string, module: ParsedModule): SourceEdit {
  const text = code + (/\b(?:type|interface) Derived\b/.test(module.code) ? "" : DERIVED);
  return insertion(module.file, module.code.length, module.code.endsWith("\n") ? text : `\n${text}`);
}

/** The type of the passed variables, and how the schema gets a name for it. */
interface SchemaReference {
  readonly type: string;
  readonly edits: readonly SourceEdit[];
}

function exportedSchema({ file, code, program }: ParsedModule): SchemaReference | undefined {
  const exported = program.body.find((statement) => statement.type === "ExportDefaultDeclaration");
  if (!exported) return undefined;
  const { declaration } = exported;
  const zod = program.body.some(
    (statement) =>
      statement.type === "ImportDeclaration" && statement.specifiers.some(({ local }) => local.name === "z"),
  );
  const typeOf = (name: string): string => (zod ? `z.output<typeof ${name}>` : `(typeof ${name})["_zod"]["output"]`);
  if (declaration.type === "Identifier") return { type: typeOf(declaration.name), edits: [] };
  const name = /\bschema\b/.test(code) ? "variablesSchema" : "schema";
  const edits = [
    { file, start: exported.start, end: declaration.start, text: `const ${name} = ` },
    insertion(file, exported.end, `\n\nexport default ${name};`),
  ];
  return { type: typeOf(name), edits };
}

interface ExistingDerive {
  readonly node: FunctionNode;
  /** Whether the type of its result is declared. */
  readonly isTyped: boolean;
  readonly id: ESTree.Node;
  readonly statement: { readonly start: number; readonly declaration: { readonly start: number } };
}

function exportedDerive({ program }: ParsedModule): ExistingDerive | "unknown" | undefined {
  for (const statement of program.body) {
    if (statement.type !== "ExportNamedDeclaration") continue;
    const { declaration, specifiers } = statement;
    if (specifiers.some(({ exported }) => "name" in exported && exported.name === "derive")) return "unknown";
    if (declaration?.type === "FunctionDeclaration" && declaration.id?.name === "derive") {
      const { id } = declaration;
      return {
        node: declaration,
        isTyped: Boolean(declaration.returnType),
        id,
        statement: { ...statement, declaration },
      };
    }
    if (declaration?.type !== "VariableDeclaration") continue;
    const declarator = declaration.declarations.find(({ id }) => id.type === "Identifier" && id.name === "derive");
    if (!declarator) continue;
    const { id, init } = declarator;
    if (!init || !isFunction(init) || declaration.declarations.length > 1) return "unknown";
    const isTyped = Boolean(init.returnType) || annotationOf(id) !== undefined;
    return { node: init, isTyped, id, statement: { ...statement, declaration } };
  }
  return undefined;
}
