import { readFile } from "node:fs/promises";
import path from "node:path";
import type { SourcePosition } from "../../../diagnostic.js";
import { isOfOwnName } from "../../../mustache/expression/own-names.js";
import { writeJson } from "../../../mustache/javascript-values.js";
import type { VariablesContract } from "../../../mustache/variables.js";
import { loadRolldown } from "../../../process/rolldown.js";
import type { CompiledTemplate, Template } from "../../../project/template.js";
import { readVariables } from "../../contract.js";
import type { CompileContext } from "../../engine.js";
import { positionOfRange, codeAt } from "../diagnose.js";
import { computationsOf } from "../engine.js";
import { type Computation, type Expression, type ListLoop, loopsIn, operandsOf } from "../runtime/expression.js";
import { type DerivePlace, derivePlaces, IN_GENERAL, newModule } from "./derive-place.js";
import { derivedTypes, type SourceEdit, withEdits } from "./edits.js";
import { canImport } from "./imports.js";
import { additionsInWords, changesInWords, creationInWords } from "./instructions.js";
import { type ParsedModule, parseModule, ProjectModules } from "./modules.js";
import { type PlacedValues, placeValues } from "./placed-values.js";

/** A file to create or change. */
export interface ChangedFile {
  /** Absolute. */
  readonly file: string;
  /** Undefined if the file does not exist. */
  readonly before: string | undefined;
  readonly text: string;
}

/** A computed value that gets no name. */
export interface UnnamedValue {
  readonly at: SourcePosition;
  readonly code: string;
  /** A sentence without a full stop: "a derived variable can't be read there". */
  readonly reason: string;
}

export interface NamedValues {
  /** The variables that `derive` adds, or adds to. */
  readonly names: readonly string[];
  /** Empty if there are no names, or if `variables.ts` can't be changed. */
  readonly files: readonly ChangedFile[];
  /** The same changes in words, to make by hand. */
  readonly instructions: string;
  readonly unnamed: readonly UnnamedValue[];
}

/**
 * Gives names to a component's computed values: `derive` in `variables.ts` computes them, and the component reads them.
 * Writes nothing.
 *
 * @example
 * const { names, files } = await nameValues(compiled, template, context);
 * names; // ["orderTotalText"]
 * for (const { file, text } of files) await writeFile(file, text);
 *
 * @throws {ModuleError} One of the component's modules can't be loaded.
 */
export async function nameValues(
  { contract, fixtures }: Pick<CompiledTemplate, "contract" | "fixtures">,
  template: Template,
  context: CompileContext,
): Promise<NamedValues> {
  const { parseSync } = await loadRolldown(template.name);
  const { computed, sources } = await computationsOf(template, context, await readVariables(template, context));
  const { variablesFile } = template;
  const file = variablesFile ?? path.join(template.folder, "variables.ts");
  const code = variablesFile === undefined ? undefined : await readFile(file, "utf8");
  const module = code === undefined ? undefined : parseModule(file, code, parseSync);
  const modules = new ProjectModules(sources, parseSync);
  const computations = computed.flatMap(ofSource);
  const { placed, edits: added } = choosePlace({ template, file, code, module, modules, contract, computations });

  const { derived, left } = placed;
  const unnamed = [...left].map(([{ site }, reason]) => ({
    at: site ? positionOfRange(site, sources) : { file: template.body.file },
    code: (site && codeAt(site, sources)) ?? "",
    reason,
  }));
  if (derived.isEmpty) return { names: [], files: [], instructions: "", unnamed };
  const edits = [...placed.edits, ...derivedTypes(template.body.file, modules), ...(added ?? [])];
  const [fixture] = template.fixtures.length === 0 ? fixtures : [];
  const example = fixture && {
    file: path.join(template.folder, "fixtures", "default.json"),
    before: undefined,
    text: `${JSON.stringify(writeJson(fixture.input), undefined, 2)}\n`,
  };
  const texts = new Map([...sources, ...(code === undefined ? [] : [[file, code] as const])]);
  return {
    names: derived.names,
    files: added ? [...changedFiles(edits, texts), ...(example ? [example] : [])] : [],
    instructions: [
      ...(added ? [] : [additionsInWords(derived.code, file, template)]),
      ...changesInWords(edits, texts, template),
      ...(example ? [creationInWords(example, template)] : []),
    ].join("\n\n"),
    unnamed,
  };
}

interface Naming {
  readonly template: Template;
  /** The template's `variables.ts`, its text, and its syntax if it is valid. */
  readonly file: string;
  readonly code: string | undefined;
  readonly module: ParsedModule | undefined;
  readonly modules: ProjectModules;
  readonly contract: VariablesContract;
  readonly computations: readonly Computation[];
}

/**
 * What the code at a computation's site computes, without what React and template literals do with the result; nothing if it
 * only reads a variable.
 */
function ofSource(computation: Computation): Computation[] {
  const expression = withoutConversion(computation.expression);
  if (expression === computation.expression) return [computation];
  return expression.kind === "variable" ? [] : [{ ...computation, expression, result: "unknown" }];
}

function withoutConversion(expression: Expression): Expression {
  if (expression.kind === "child") return withoutConversion(expression.of);
  if (expression.kind === "text") {
    const [only, ...others] = expression.parts;
    return typeof only === "object" && others.length === 0 ? withoutConversion(only) : expression;
  }
  if (expression.kind === "call") return unescaped(expression);
  return expression.kind === "if" ? withoutCases(expression) : expression;
}

/** The text of a `<script>` or `<style>` before React escapes it. */
function unescaped(call: Extract<Expression, { kind: "call" }>): Expression {
  const { callee, args } = call;
  const [pattern] = args;
  const isEscaped = pattern?.kind === "value" && pattern.value instanceof RegExp && isOfOwnName(pattern.value.source);
  return isEscaped && callee.kind === "member" ? withoutConversion(callee.of) : call;
}

function withoutCases(cases: Extract<Expression, { kind: "if" }>): Expression {
  const { test, yes, no } = cases;
  if (yes.kind === "call" && unescaped(yes) !== yes) return withoutConversion(yes);
  // A style's value: React adds a unit to a number, and omits a boolean.
  const [of, unit] = yes.kind === "text" ? yes.parts : [];
  const isUnitAdded = unit === "px" && JSON.stringify(of) === JSON.stringify(no);
  const type = test.kind === "binary" && test.left.kind === "unary" && test.right.kind === "value" && test.right.value;
  const isOmitted = type === "boolean" && yes.kind === "value" && yes.value === "";
  return isUnitAdded || isOmitted ? withoutConversion(no) : cases;
}

/** The best place for the code of `derive`, with the edits there; without edits if there is none. */
function choosePlace(naming: Naming): { readonly placed: PlacedValues; readonly edits?: readonly SourceEdit[] } {
  const { file, code, module, contract, computations } = naming;
  const derived = Object.keys(contract.derived?.properties ?? {});
  const places = code === undefined ? [newModule(file, contract.input)] : module ? derivePlaces(module, derived) : [];
  for (const place of places) {
    const placed = placeAt(place, naming);
    const mentioned = computations
      .filter((each) => !placed.left.has(each))
      .flatMap(({ expression }) => namesIn(expression));
    const edits = place.edits(placed.derived.code, new Set(mentioned));
    if (edits) return { placed, edits };
  }
  return { placed: placeAt(IN_GENERAL, naming) };
}

function placeAt(
  { root, context }: Pick<DerivePlace, "root" | "context">,
  { template, code, module, modules, contract, computations }: Naming,
): PlacedValues {
  const known = [contract.input, contract.derived ?? {}].flatMap(({ properties = {} }) => Object.keys(properties));
  return placeValues(template, {
    modules,
    computations,
    isTaken: (name) => known.includes(name) || code?.includes(name) === true,
    root,
    context,
    canImport: (needed) => !module || canImport(needed, module),
  });
}

/** The names of all variables and members in an expression. */
function namesIn(expression: Expression): string[] {
  const own = expression.kind === "member" ? [expression.name].filter((name) => typeof name === "string") : [];
  const variable = expression.kind === "variable" ? expression.names : [];
  return [...own, ...variable, ...loopsIn(expression).flatMap(namesOfLoop), ...operandsOf(expression).flatMap(namesIn)];
}

function namesOfLoop({ list }: ListLoop): readonly string[] {
  return [...list.names, ...(list.loop ? namesOfLoop(list.loop) : [])];
}

function changedFiles(edits: readonly SourceEdit[], sources: ReadonlyMap<string, string>): ChangedFile[] {
  const files = [...new Set(edits.map(({ file }) => file))];
  return files.map((file) => {
    const before = sources.get(file);
    const own = edits.filter((edit) => edit.file === file);
    const text = withEdits(before ?? "", own);
    return { file, before, text: before?.includes("\r\n") ? text.replace(/\r?\n/g, "\r\n") : text };
  });
}
