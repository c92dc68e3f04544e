import { isSelection } from "../mustache/complete.js";
import { closeSchema, inferSchema } from "../mustache/infer.js";
import { writeJson } from "../mustache/javascript-values.js";
import { derivedSchema, printedDerived } from "../mustache/derived.js";
import type { OwnName } from "../mustache/check-variables.js";
import { unknownNames } from "../mustache/read-inferred.js";
import type { Condition, Variables, VariablesContract, VariablesSchema } from "../mustache/variables.js";
import { pathText } from "../project/issues.js";
import { jsonPosition } from "../project/source-file.js";
import { mixedKinds } from "../project/mixed-kinds.js";
import { completeAll } from "./computed/complete-variables.js";
import { type CheckedFixture, readVariablesModule, type VariablesModule } from "../project/variables-module.js";
import type { FilledFixture, Template } from "../project/template.js";
import type { Diagnostic } from "../diagnostic.js";
import { openedFor, withoutNulls } from "./typed-examples.js";
import { Bundles } from "../process/bundle.js";
import type { CompileContext, EngineOutput } from "./engine.js";
import { readQuestion } from "../mustache/condition-forms.js";
import type { ConditionNames } from "../mustache/condition-names.js";
import { scan } from "../mustache/scan.js";
import { enclosingSections, scopeNames, tagName, tagsIn, token, type Tokenised, tokensIn } from "../mustache/tokens.js";
import { Scope } from "../mustache/scope.js";

export interface ContractInput {
  readonly template: Template;
  readonly module: VariablesModule | undefined;
  /** The bodies, with their tags restored. */
  readonly texts: readonly string[];
  readonly conditions: readonly Condition[];
  readonly ownNames?: readonly OwnName[] | undefined;
  /** A component's `PreviewProps`: an example of its props, derived variables included. May contain dates and bigints. */
  readonly previewProps?: Variables | undefined;
}

export interface ContractWithExamples {
  readonly contract: VariablesContract;
  readonly examples: readonly CheckedFixture[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The name of the fixture made from a component's `PreviewProps` if there are no others. */
const PREVIEW = "preview";

/** Creates the contract: the schema is the template's own, or inferred. */
export function makeContract(input: ContractInput): ContractWithExamples {
  const { module } = input;
  if (!module?.schema) return inferred(input);
  return module.isOpen ? typed(input, module, module.schema) : fromSchema(input, module, module.schema);
}

function fromSchema(
  { template, texts, conditions, ownNames, previewProps }: ContractInput,
  { output = {}, hasDerive, fixtures: checked }: VariablesModule,
  input: VariablesSchema,
): ContractWithExamples {
  const preview = checked.length === 0 ? previewProps : undefined;
  const examples = preview
    ? [{ parsed: preview, derived: hasDerive ? withoutNames(preview, Object.keys(input.properties ?? {})) : {} }]
    : checked.map(({ parsed, derived = {} }) => ({ parsed, derived }));
  const facts = { input, output, hasDerive, examples, texts, conditions };
  const derived = derivedSchema({ ...facts, ...(ownNames && { ownNames }) });
  const known = { input, ...(derived && { derived }), conditions };
  const printed = hasDerive ? printedDerived(texts, known) : [];
  const contract = { ...known, ...(printed.length > 0 && { printed }) };
  if (!preview) {
    const diagnostics = hasDerive && checked.length === 0 && derived ? [untried(template)] : [];
    return { contract, examples: checked, diagnostics };
  }
  const passed = withoutNames(preview, Object.keys(examples[0]?.derived ?? {}));
  return { contract, examples: [{ name: PREVIEW, input: passed, parsed: preview }], diagnostics: [] };
}

function untried({ name, variablesFile = "" }: Template): Diagnostic {
  return {
    rule: "variables-derive",
    severity: "error",
    message: "There is no fixture to run derive with, so it is unknown what derive adds.",
    template: name,
    at: { file: variablesFile },
    hint: "Add fixtures/default.json with an example of what the application passes.",
  };
}

function inferred({ template, texts, conditions, ownNames, previewProps }: ContractInput): ContractWithExamples {
  const writtenExamples = template.fixtures.map(({ name, variables }) => ({ name, input: variables }));
  const examples =
    writtenExamples.length > 0 || !previewProps ? writtenExamples : [{ name: PREVIEW, input: previewProps }];
  const inputs = examples.map(({ input }) => input);
  const contract = { input: inferSchema(texts, inputs, conditions, ownNames), conditions };
  return { contract, examples: examples.map(asPassed), diagnostics: mixedKinds(template) };
}

/** Uses a component's type, and infers what it leaves open. */
function typed(
  { template, texts, conditions, ownNames = [], previewProps }: ContractInput,
  { fixtures }: VariablesModule,
  type: VariablesSchema,
): ContractWithExamples {
  const preview = fixtures.length === 0 && template.fixtures.length === 0 ? previewProps : undefined;
  const schema = preview ? openedFor(preview, type) : type;
  const examples = preview ? [{ name: PREVIEW, input: withoutNulls(preview, schema) }] : fixtures;
  const input = closeSchema(schema, { texts, examples: examples.map((each) => each.input), conditions, ownNames });
  const contract = { input, conditions };
  const diagnostics = [...mixedKinds(template, type), ...foreignToType(template, input)];
  return { contract, examples: examples.map(asPassed), diagnostics };
}

function asPassed({ name, input }: Omit<FilledFixture, "variables">): CheckedFixture {
  return { name, input, parsed: input };
}

/**
 * Completes the variables of a template's examples.
 *
 * @throws {ModuleError} A function of a package that computes a value can't be loaded.
 */
export async function fillFixtures(
  template: Template,
  { contract, examples }: Pick<ContractWithExamples, "contract" | "examples">,
  context: CompileContext,
): Promise<FilledFixture[]> {
  const passed = examples.map(({ parsed, derived }) => ({ input: parsed, derived }));
  const completed = await completeAll(template, contract, passed, context);
  return examples.map(({ name, input }, index) => {
    return { name, input: writeJson(input), variables: completed[index] ?? {} };
  });
}

/** Top-level names in fixtures that neither the type nor a tag has: the application could not pass them. */
function foreignToType({ name, fixtures }: Template, input: VariablesSchema): Diagnostic[] {
  return fixtures.flatMap(({ source, variables }) =>
    unknownNames(variables, input)
      .filter(({ path }) => path.length === 1)
      .map(({ path }) => ({
        rule: "fixture-schema",
        severity: "warning",
        message: `${pathText(path)} is neither in the type of the component's props nor in a tag.`,
        template: name,
        at: jsonPosition(source, path, "name"),
        hint: "Remove it from the fixture, or add it to the type.",
      })),
  );
}

function withoutNames(variables: Variables, names: readonly string[]): Variables {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !names.includes(name)));
}

/** Reads `variables.ts`, or else the type of a component's props; undefined for a template with neither. */
export async function readVariables(template: Template, context: CompileContext): Promise<VariablesModule | undefined> {
  const { host, locale, timeZone, together = [] } = context;
  const { variablesFile } = template;
  if (variablesFile === undefined) {
    if (template.engine !== "react") return undefined;
    const { readTypedVariables } = await import("./react/types/typed-variables.js");
    return readTypedVariables(template, context);
  }
  const bundles = runs.get(together) ?? new Bundles(together.flatMap((each) => each.variablesFile ?? []));
  runs.set(together, bundles);
  return readVariablesModule(host, { ...template, variablesFile }, { locale, timeZone }, (file) => bundles.get(file));
}

const runs = new WeakMap<readonly Template[], Bundles>();

/** A section around a tag. */
interface OpenSection {
  /** Its name, if it opens a scope. */
  readonly entered: string | undefined;
  /** The name of the boolean for its condition. */
  readonly condition: string | undefined;
}

/**
 * Turns a body's sections with conditions into sections over booleans. This is done once all parts are inlined, when the
 * sections around each tag are known.
 *
 * @example
 * const tags = [{ text: '{{#status equals "paid"}}' }, { text: "{{/status}}" }];
 * nameConditions({ text: token(0) + token(1), tags }, names).tags; // {{#status__is_paid}}, {{/status__is_paid}}
 */
export function nameConditions<T extends Tokenised>(body: T, names: ConditionNames): T {
  const named = new Map<number, string>();
  const open: OpenSection[] = [];
  for (const { tag: number } of tokensIn(body.text)) {
    const { text = "", test } = body.tags[number] ?? {};
    const tag = scan(text).tags[0];
    if (tag?.kind === "close") {
      const condition = open.pop()?.condition;
      if (condition !== undefined && !named.has(number)) named.set(number, `{{/${condition}}}`);
    }
    if (tag?.kind !== "section" && tag?.kind !== "inverted") continue;
    const question = test ? { path: tag.name, test } : readQuestion(tag.name);
    const within = open.flatMap(({ entered }) => entered ?? []);
    const condition = question && names.nameFor({ within, ...question });
    open.push({ entered: question || tag.kind === "inverted" ? undefined : tag.name, condition });
    if (condition !== undefined && !named.has(number))
      named.set(number, `{{${tag.kind === "section" ? "#" : "^"}${condition}}}`);
  }
  if (named.size === 0) return body;
  const tags = body.tags.map((tag, number) => {
    const { test: _removed, ...others } = tag;
    const text = named.get(number);
    return text === undefined ? tag : { ...others, text };
  });
  return { ...body, tags };
}

/** The same for an engine's output: in the order of the source, as far as that is known. */
export function nameOutputConditions(output: EngineOutput, names: ConditionNames): EngineOutput {
  const { html, title = "", tags, expected = [] } = output;
  const text = expected.map(token).join("") + html + title;
  return { ...output, tags: nameConditions({ text, tags }, names).tags };
}

/** What is known about the repeating sections of a body. Sections are identified by the numbers of their opening tags. */
export interface Lists {
  /** Whether a section repeats; false if unknown. */
  readonly isList: (opening: number) => boolean;
  /** The name of the boolean that says whether a list has items; undefined if there can't be one. */
  readonly hasItems: (opening: number) => string | undefined;
  /** Whether filling adds such booleans anyway, because the HTML needs some. */
  readonly areUsed: boolean;
  /** The name of the boolean that says in a list whether an item is the last one; undefined if there can't be one. */
  readonly isLast: (opening: number) => string | undefined;
}

export function listsOf(body: Tokenised, contract: VariablesContract, names: ConditionNames): Lists {
  const booleans = new Set(names.list.flatMap(({ name, test }) => (isSelection(test) ? [] : [name])));
  const sections = enclosingSections(tagsIn(body.text), body.tags);
  const around = new Map(sections.map((section) => [section.tag, section.around]));
  const placeOf = (opening: number) => ({
    // A section over a boolean does not change what names refer to.
    within: scopeNames(around.get(opening) ?? [], body.tags).filter((name) => !booleans.has(name)),
    path: tagName(body.tags[opening]),
  });
  /** A copied list with wrapped items stands for a list with a path of its own. */
  const objectsAt = (path: string) => names.list.find(({ name, test }) => name === path && test.kind === "items");
  const variables = Scope.of(contract, { unknownHides: false });
  const shapeOf = (opening: number) => {
    const { within, path } = placeOf(opening);
    return variables.inside(within).find(path)?.shape;
  };
  return {
    areUsed: names.list.some(({ test }) => test.kind !== "empty"),
    isList(opening) {
      return objectsAt(tagName(body.tags[opening])) !== undefined || shapeOf(opening)?.mayBeList === true;
    },
    hasItems(opening) {
      const place = placeOf(opening);
      // If a list is itself an item, there is no object to which a boolean could be added.
      if (place.path === ".") return undefined;
      const { within, path } = objectsAt(place.path) ?? place;
      return names.nameFor({ within, path, test: { kind: "has-items" } });
    },
    isLast(opening) {
      const { within, path } = placeOf(opening);
      const items = shapeOf(opening)?.items();
      const areObjects = objectsAt(path) !== undefined || (items?.isKnown && items.kinds.every(isObject));
      if (!areObjects) return undefined;
      return names.nameFor({ within: [...within, path], path: ".", test: { kind: "among-last", count: 1 } });
    },
  };
}

function isObject({ type }: { readonly type?: unknown }): boolean {
  return type === "object";
}
