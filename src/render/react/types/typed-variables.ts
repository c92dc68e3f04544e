import path from "node:path";
import type { Diagnostic, SourcePosition } from "../../../diagnostic.js";
import { unknownNames } from "../../../mustache/read-inferred.js";
import type { VariablesSchema } from "../../../mustache/variables.js";
import { describeIssue, type Issue } from "../../../project/issues.js";
import { jsonPosition } from "../../../project/source-file.js";
import type { Fixture, Template } from "../../../project/template.js";
import type { CheckedFixture, VariablesModule } from "../../../project/variables-module.js";
import type { CompileContext } from "../../engine.js";
import { typeMismatches, withoutNulls } from "../../typed-examples.js";
import { type PropsType, readPropsType } from "./props-type.js";
import { TypeModules } from "./type-module.js";

const runs = new WeakMap<readonly Template[], Promise<TypeModules>>();

/** The type of a component's props: each of the project's modules is read once per run. */
export async function propsTypeOf(
  { body }: Template,
  { folder, together = [] }: Pick<CompileContext, "folder" | "together">,
): Promise<PropsType> {
  const modules = runs.get(together) ?? TypeModules.in(folder);
  runs.set(together, modules);
  return readPropsType(await modules, body.file);
}

/**
 * The type of a component's props, validated with the template's fixtures like a `variables.ts`. If the type contains no
 * information there is no schema, and only files count in which the type could be written.
 */
export async function readTypedVariables(template: Template, context: CompileContext): Promise<VariablesModule> {
  const type = await propsTypeOf(template, context);
  const { schema } = type;
  const base = { isOpen: true, hasDerive: false, sources: [...type.files].sort(), missing: type.missing } as const;
  if (!schema) return { ...base, fixtures: [], diagnostics: [] };
  const checked = template.fixtures.map((fixture) => checkFixture(fixture, { ...type, schema }, { template, context }));
  return {
    ...base,
    schema,
    output: schema,
    fixtures: checked.flatMap(({ fixture }) => fixture ?? []),
    diagnostics: checked.flatMap(({ diagnostics }) => diagnostics),
  };
}

type KnownType = PropsType & { readonly schema: VariablesSchema };

interface CheckOptions {
  readonly template: Template;
  readonly context: Pick<CompileContext, "folder">;
}

function checkFixture(
  fixture: Fixture,
  type: KnownType,
  { template, context }: CheckOptions,
): { readonly fixture?: CheckedFixture; readonly diagnostics: readonly Diagnostic[] } {
  const { name, source } = fixture;
  const input = withoutNulls(fixture.variables, type.schema);
  const report = (issue: Issue, of: "value" | "name"): Diagnostic => ({
    rule: "fixture-schema",
    severity: "error",
    message: `${describeIssue(issue)} ${describePlace(originAt(type, issue.path), context.folder)}`,
    template: template.name,
    at: jsonPosition(source, issue.path, of),
  });
  const misfits = typeMismatches(input, type.schema).map((issue) => report(issue, "value"));
  // What tags use beyond the type is inferred, so only a name that looks misspelt is an error.
  const misspelt = unknownNames(input, type.schema).flatMap(({ path: steps, near }) =>
    near === undefined
      ? []
      : [
          report(
            { path: steps, message: `not in the type of the component's props (did you mean "${near}"?)` },
            "name",
          ),
        ],
  );
  const diagnostics = [...misfits, ...misspelt];
  return { diagnostics, ...(misfits.length === 0 && { fixture: { name, input, parsed: input } }) };
}

function describePlace({ file, line }: SourcePosition, folder: string): string {
  return `Its type is at ${path.relative(folder, file)}${line === undefined ? "" : `:${line}`}.`;
}

/** Where the type of a variable, or of what contains it, is written. */
function originAt({ schema, origins, at }: KnownType, steps: Issue["path"]): SourcePosition {
  let [place, kinds]: [SourcePosition, readonly VariablesSchema[]] = [at, [schema]];
  for (const step of steps) {
    const inner = kinds
      .flatMap((kind) => kind.anyOf ?? [kind])
      .flatMap(({ items, properties = {} }) =>
        typeof step === "number" ? (typeof items === "object" ? [items] : []) : (properties[String(step)] ?? []),
      );
    place = inner.map((kind) => origins.get(kind)?.at).find((each) => each !== undefined) ?? place;
    kinds = inner;
  }
  return place;
}
