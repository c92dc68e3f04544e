import type { Diagnostic, SourcePosition } from "../../../diagnostic.js";
import { valueAt } from "../../../mustache/parse-variables.js";
import { sampleOf } from "../../../mustache/sample.js";
import { restore, TOKEN, type Tokenised, tokensIn } from "../../../mustache/tokens.js";
import type { Variables, VariablesContract } from "../../../mustache/variables.js";
import { bundleModule } from "../../../process/bundle.js";
import { ModuleError } from "../../../process/module-error.js";
import type { ESTree } from "../../../process/rolldown.js";
import { pathText } from "../../../project/issues.js";
import type { FilledFixture, Template } from "../../../project/template.js";
import { positionAt } from "../../../text/position.js";
import type { CompileContext } from "../../engine.js";
import { readElsewhere } from "../../moments.js";
import { childrenOf, isComponentElement } from "../ast.js";
import {
  type DifferingResult,
  fillExamples,
  fixtureExamples,
  type OracleExample,
  type OracleFailure,
  Trial,
  type TrialInput,
  variedExamples,
} from "./trial.js";
import { placeName } from "./tried-places.js";
import { variationsOf, withLongerLists } from "./variations.js";
import type { TextDifference } from "../react-html.js";
import { isRecord } from "../../../values.js";

export interface OracleInput {
  readonly template: Template;
  /** Compiled. */
  readonly html: Tokenised;
  readonly fixtures: readonly FilledFixture[];
  readonly contract: VariablesContract;
  readonly context: CompileContext;
  /** Where the template's own code reads the time or random numbers. */
  readonly moments?: readonly SourcePosition[];
}

/**
 * The sixth invariant: rendering with React and real variables equals filling the compiled body with them. It detects
 * decisions made at compile time in package code, which is not rewritten. If a fixture has a list with a single item,
 * longer lists are tried, too.
 */
export async function checkOracle(input: OracleInput): Promise<Diagnostic[]> {
  const { template, html, fixtures, contract } = input;
  if (fixtures.length === 0) return tokensIn(html.text).length > 0 ? [noFixture(template, contract)] : [];
  return tryExamples([...fixtureExamples(fixtures), ...(await variedExamples(input, withLongerLists))], input);
}

/** The same for variations of the fixtures in values that components decide by. */
export async function checkVariations(input: OracleInput): Promise<Diagnostic[]> {
  return tryExamples(await variedExamples(input, variationsOf), input);
}

/** Reports the first failing example: the others usually fail for the same reason. */
async function tryExamples(examples: readonly OracleExample[], input: OracleInput): Promise<Diagnostic[]> {
  const { template, html, contract, context, moments = [] } = input;
  if (examples.length === 0) return [];
  const htmlBody = restore(html.text, html.tags, "html");
  const tried = { template, htmlBody, contract, context };
  const trial = new Trial(tried);
  try {
    // A component may refuse made-up variables.
    const failures = (await trial.run(examples)).filter(({ kind, example }) => kind === "differs" || !example.fixture);
    const [first] = failures;
    if (!first) return [];
    if (first.kind === "throws") return [throws(first, template)];
    const changing = await findChanging(first, tried, moments);
    return [changing ?? (await differs(await relocated(first, trial, input), trial, input))];
  } catch (error) {
    if (!(error instanceof ModuleError)) throw error;
    return error.toDiagnostics("react-component", template.name);
  }
}

/**
 * The same failure in the project's place, if it isn't one of the place. A place may make a difference to React alone: what is
 * computed while compiling is only right for the project's.
 */
async function relocated(failure: DifferingResult, trial: Trial, input: OracleInput): Promise<DifferingResult> {
  const { example } = failure;
  if (!example.place) return failure;
  const [atHome] = await fillExamples([{ ...example, place: undefined }], input);
  const [same] = atHome ? await trial.run([atHome]) : [];
  if (same?.kind === "differs") return same;
  const isFilledAlike = JSON.stringify(atHome?.filled) === JSON.stringify(example.filled);
  return isFilledAlike ? { ...failure, example: { ...example, severity: "warning" } } : failure;
}

async function differs(failure: DifferingResult, trial: Trial, input: OracleInput): Promise<Diagnostic> {
  const { template, html } = input;
  const { example, difference } = failure;
  const culprit = await findCause(failure, trial, input, example.fixture);
  const at = await locate(failure, { trial, html, file: template.body.file, culprit });
  // React omits some attributes that are empty.
  const isEmptied = example.fixture && culprit && valueAt(example.received, culprit) === "";
  const where = example.place ? `, in ${placeName(example.place)}` : "";
  const because = culprit ? `, because of ${describeCause(culprit, example)}` : "";
  return {
    rule: "react-oracle",
    severity: isEmptied ? "warning" : example.severity,
    message: `With ${example.name}${where}${because}, React renders \`${difference.left}\`, but the filled compiled body has \`${difference.right}\`.`,
    template: template.name,
    at,
    hint: example.place && !culprit ? NAME_PLACE : COMPUTE,
  };
}

const COMPUTE =
  "The component decides or computes something here that the compiled body doesn't. Compute it in derive (variables.ts), or avoid it.";

const NAME_PLACE =
  "Name the locale and the time zone where the component formats something, or compute it in derive (variables.ts).";

/** Maximum length of a value in a message. */
const LONGEST_VALUE = 60;

/** A variable, with its value if it isn't that of a fixture. */
function describeCause(steps: Steps, { received, fixture }: OracleExample): string {
  if (!fixture) return pathText(steps);
  const text = JSON.stringify(valueAt(received, steps)) ?? "absent";
  const shown = text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE - 1)}…` : text;
  return `${pathText(steps)} (${shown})`;
}

function throws({ example, thrown }: Extract<OracleFailure, { kind: "throws" }>, template: Template): Diagnostic {
  return {
    rule: "react-component",
    severity: "error",
    message: `With ${example.name}, the component throws: ${thrown.error}`,
    template: template.name,
    at: thrown.at ?? { file: template.body.file },
  };
}

function noFixture({ name, body, variablesFile }: Template, { input }: VariablesContract): Diagnostic {
  const sample = JSON.stringify(sampleOf(input));
  const suchAs = variablesFile === undefined && sample.length <= LONGEST_SAMPLE ? `, such as ${sample}` : "";
  return {
    rule: "react-fixture",
    severity: "error",
    message: "The template has variables but no fixture, so the compiled body can't be verified.",
    template: name,
    at: { file: body.file },
    hint: `Add fixtures/default.json with an example of its variables${suchAs}, or add PreviewProps.`,
  };
}

/** Maximum length of a sample in a hint. */
const LONGEST_SAMPLE = 300;

/**
 * The most likely source position of a difference: where the variable that causes it is passed to something that decides,
 * near the tags around the difference.
 */
async function locate(
  failure: DifferingResult,
  { trial, html, file, culprit }: { trial: Trial; html: Tokenised; file: string; culprit: Steps | undefined },
): Promise<SourcePosition> {
  const near = nearestTag(failure, trial, html) ?? { file };
  const name = culprit?.findLast((step) => typeof step === "string");
  if (name === undefined) return near;
  const uses = await variableUses(file, name);
  const passedOn = uses.filter(({ isPassedOn }) => isPassedOn);
  const places = (passedOn.length > 0 ? passedOn : uses).map(({ at }) => at);
  const { line = 0 } = near;
  return places.find((at) => at.file === near.file && (at.line ?? 0) >= line) ?? places[0] ?? near;
}

function nearestTag(
  { example, difference }: DifferingResult,
  trial: Trial,
  { text, tags }: Tokenised,
): SourcePosition | undefined {
  const marked = text.replace(TOKEN, (_token, number: string) => `\uE004${number}\uE005${tags[Number(number)]?.text}`);
  let plain = 0;
  let nearest: SourcePosition | undefined;
  for (const [piece, number] of trial.fill(marked, example).matchAll(/\uE004(\d+)\uE005|[^\uE004]+/g)) {
    if (plain > difference.at) break;
    if (number === undefined) plain += piece.length;
    else nearest = tags[Number(number)]?.at ?? nearest;
  }
  return nearest;
}

/** Maximum distance between two differences that count as the same, such as a date or random number in the text. */
const NEAR = 40;

/**
 * Whether a component differs from its body because it renders differently each time, not because of a variable. It is
 * rendered again with the same variables, with freshly loaded modules and a clock that is more than a year ahead.
 *
 * @param moments Where the template's own code reads the time or random numbers.
 * @returns Undefined if it renders the same.
 */
async function findChanging(
  { example, difference }: DifferingResult,
  tried: TrialInput,
  moments: readonly SourcePosition[],
): Promise<Diagnostic | undefined> {
  const { template, context } = tried;
  const host = context.host.another({ later: true });
  try {
    const [again] = await new Trial({ ...tried, context: { ...context, host } }).run([example]);
    if (again?.kind !== "differs" || again.difference.left === difference.left) return undefined;
    if (Math.abs(again.difference.at - difference.at) > NEAR) return undefined;
    const [at = { file: template.body.file }] = moments;
    return {
      rule: "not-reproducible",
      severity: "error",
      message: `${example.fixture && !example.place ? `With ${example.name}` : "With the same variables"}, the component renders \`${difference.left}\` once and \`${again.difference.left}\` another time.`,
      template: template.name,
      at,
      hint: `A template's output must not depend on the time, random numbers or the order of events. Pass such values as variables, for example sentAt.${readElsewhere(moments, at, template)}`,
    };
  } finally {
    await host.close();
  }
}

/** A place at which the project's modules pass on a variable. */
interface VariableUse {
  readonly at: SourcePosition;
  /** Whether it is passed to a component or a function, which may test it. */
  readonly isPassedOn: boolean;
}

/** Where the project's modules pass a variable of this name to an element or to a function. */
async function variableUses(file: string, name: string): Promise<VariableUse[]> {
  const uses: VariableUse[] = [];
  await bundleModule(file, {
    transform(module) {
      for (const { start, isPassedOn } of usesInProgram(module.program, name)) {
        uses.push({ at: { file: module.file, ...positionAt(module.code, start) }, isPassedOn });
      }
    },
  });
  return uses;
}

type PassedValue = Pick<ESTree.Node, "start"> & Pick<VariableUse, "isPassedOn">;

function usesInProgram(program: ESTree.Program, name: string): Iterable<PassedValue> {
  const uses = new Set<PassedValue>();
  const search = (node: ESTree.Node, place: PassedValue | undefined): void => {
    if (place && isNamed(node, name)) uses.add(place);
    if (node.type.startsWith("TS") && !("expression" in node)) return;
    if (node.type === "CallExpression") {
      search(node.callee, place);
      for (const argument of node.arguments) search(argument, place && { start: argument.start, isPassedOn: true });
    } else if (node.type === "JSXElement") {
      const isPassedOn = isComponentElement(node);
      for (const each of [...node.openingElement.attributes, ...node.children]) searchIn(each, isPassedOn);
    } else {
      for (const child of childrenOf(node)) search(child, place);
    }
  };
  const searchIn = (node: ESTree.Node, isPassedOn: boolean): void => {
    const inner = node.type === "JSXAttribute" ? node.value : node;
    const passed = inner?.type === "JSXExpressionContainer" ? inner.expression : undefined;
    const spread = inner?.type === "JSXSpreadAttribute" ? inner.argument : undefined;
    const value = passed ?? spread;
    if (value) search(value, { start: value.start, isPassedOn });
    else if (inner) search(inner, undefined);
  };
  search(program, undefined);
  return uses;
}

function isNamed(node: ESTree.Node, name: string): boolean {
  if (node.type === "Identifier") return node.name === name;
  return node.type === "MemberExpression" && node.property.type === "Identifier" && node.property.name === name;
}

/** Maximum number of variables to try one by one. */
const MOST_TRIED = 100;

/**
 * The variable that causes the difference between React and the compiled body: the one that, changed alone in the fixture
 * as in the variation, reproduces the difference; or that, changed in the fixture itself, removes it.
 *
 * @param fixture The fixture that a variation was made from, if it is one.
 */
async function findCause(
  { example, difference }: DifferingResult,
  trial: Trial,
  input: Pick<OracleInput, "template" | "contract" | "context">,
  fixture?: OracleExample,
): Promise<Steps | undefined> {
  const leaves = fixture
    ? changedLeaves(fixture.received, example.received)
    : leavesOf(example.received).flatMap(({ steps, value }) =>
        alternativesTo(value).map((other) => ({ steps, value: other })),
      );
  const tried = leaves.slice(0, MOST_TRIED);
  const changed = tried.map((leaf) => ({ ...example, received: withLeaf((fixture ?? example).received, leaf), leaf }));
  const examples = await fillExamples(changed, input);
  const failures = await trial.run(examples);
  const outcomes = examples.map((each) => failures.find((failure) => failure.example === each));
  const criteria: ((failure: OracleFailure | undefined) => boolean)[] = fixture
    ? [(failure) => failure?.kind === "differs"]
    : [
        (failure) => !failure,
        (failure) => failure?.kind === "differs" && affectsOneSide(failure.difference, difference),
        (failure) => failure?.kind === "differs" && failure.difference.key !== difference.key,
      ];
  const index = criteria.map((matches) => outcomes.findIndex(matches)).find((at) => at >= 0);
  return index === undefined ? undefined : examples[index]?.leaf.steps;
}

/** Whether only React or only the compiled body depends on the changed variable: if both print it, both change. */
function affectsOneSide(now: TextDifference, before: TextDifference): boolean {
  return (now.left === before.left) !== (now.right === before.right);
}

/** Values of the same kind that may lead to another decision. */
function alternativesTo(value: unknown): unknown[] {
  if (typeof value === "boolean") return [!value];
  if (typeof value === "number") return [value === 0 ? 1 : 0];
  if (typeof value === "string") return value === "" ? ["x"] : ["", "x"];
  return Array.isArray(value) && value.length > 0 ? [[], [value[0], value[0], value[0], value[0]]] : [undefined];
}

/** The names and indexes that lead to a value within variables. */
type Steps = readonly (string | number)[];

/** A primitive value, or a list as a whole. */
interface Leaf {
  readonly steps: Steps;
  readonly value: unknown;
}

/** The values within variables: each list as a whole, and then the values in its first item. */
function leavesOf(value: unknown, steps: Steps = []): Leaf[] {
  if (Array.isArray(value)) {
    return [{ steps, value }, ...(value.length > 0 ? leavesOf(value[0], [...steps, 0]) : [])];
  }
  if (!isRecord(value)) return [{ steps, value }];
  return Object.entries(value).flatMap(([name, member]) => leavesOf(member, [...steps, name]));
}

/** Where two sets of variables differ, with the second's values; undefined if absent. */
function changedLeaves(before: unknown, after: unknown, steps: Steps = []): Leaf[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    return after.flatMap((item, index) => changedLeaves(before[index], item, [...steps, index]));
  }
  if (!isRecord(before) || !isRecord(after)) return [{ steps, value: after }];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name) => changedLeaves(before[name], after[name], [...steps, name]));
}

/** Variables with one value set, or removed. */
function withLeaf(variables: Variables, { steps, value }: Leaf): Variables {
  const changed = setAt(variables, steps, value);
  return isRecord(changed) ? changed : variables;
}

function setAt(place: unknown, [step, ...rest]: Steps, value: unknown): unknown {
  if (step === undefined) return value;
  if (Array.isArray(place)) return place.map((item, index) => (index === step ? setAt(item, rest, value) : item));
  if (!isRecord(place)) return place;
  const { [step]: member, ...others } = place;
  const changed = setAt(member, rest, value);
  if (changed === undefined) return others;
  return member === undefined
    ? { ...place, [step]: changed }
    : Object.fromEntries(Object.entries(place).map(([name, each]) => [name, name === step ? changed : each]));
}
