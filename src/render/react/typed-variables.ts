import path from "node:path";
import type { Diagnostic, SourcePosition } from "../../diagnostic.js";
import { unknownNames } from "../../mustache/unknown-names.js";
import type { VariablesSchema } from "../../mustache/variables.js";
import { describeIssue, type Issue } from "../../template/issue.js";
import { jsonPosition } from "../../template/json.js";
import type { CheckedFixture, VariablesModule } from "../../template/variables-module.js";
import type { Fixture, Template } from "../../template/template.js";
import type { CompileContext } from "../engine.js";
import { type PropsType, readPropsType } from "./types/props-type.js";
import { misfitsOf, withoutNulls } from "../typed-examples.js";
import { TypeModules } from "./types/type-module.js";

const runs = new WeakMap<readonly Template[], Promise<TypeModules>>();

/** What the type of a component's props says: each of the project's modules is read once in a run. */
export async function propsTypeOf(
  { body }: Template,
  { folder, together = [] }: Pick<CompileContext, "folder" | "together">,
): Promise<PropsType> {
  const modules = runs.get(together) ?? TypeModules.in(folder);
  runs.set(together, modules);
  return readPropsType(await modules, body.file);
}

/**
 * What the type of a component's props says, tried on the template's fixtures, as a `variables.ts` would be. Without a
 * schema where the type says nothing; then only the files count that could make it say something.
 */
export async function readTypedVariables(template: Template, context: CompileContext): Promise<VariablesModule> {
  const type = await propsTypeOf(template, context);
  const { schema } = type;
  const found = { isOpen: true, hasDerive: false, sources: [...type.files].sort(), missing: type.missing } as const;
  if (!schema) return { ...found, fixtures: [], diagnostics: [] };
  const checked = template.fixtures.map((fixture) => checkFixture(fixture, { ...type, schema }, { template, context }));
  return {
    ...found,
    schema,
    output: schema,
    fixtures: checked.flatMap(({ fixture }) => fixture ?? []),
    diagnostics: checked.flatMap(({ diagnostics }) => diagnostics),
  };
}

type KnownType = PropsType & { readonly schema: VariablesSchema };

interface Surroundings {
  readonly template: Template;
  readonly context: Pick<CompileContext, "folder">;
}

function checkFixture(
  fixture: Fixture,
  type: KnownType,
  { template, context }: Surroundings,
): { readonly fixture?: CheckedFixture; readonly diagnostics: readonly Diagnostic[] } {
  const { name, source } = fixture;
  const input = withoutNulls(fixture.variables, type.schema);
  const report = (issue: Issue, of: "value" | "name"): Diagnostic => ({
    rule: "fixture-schema",
    severity: "error",
    message: `${describeIssue(issue)} ${inWords(originAt(type, issue.path), context.folder)}`,
    template: template.name,
    at: jsonPosition(source, issue.path, of),
  });
  const misfits = misfitsOf(input, type.schema).map((issue) => report(issue, "value"));
  // What tags use beyond the type is inferred, so that only what looks misspelt is a mistake.
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

function inWords({ file, line }: SourcePosition, folder: string): string {
  return `Its type is at ${path.relative(folder, file)}${line === undefined ? "" : `:${line}`}.`;
}

/** Where the type of a variable is written, or that of what it is in. */
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
