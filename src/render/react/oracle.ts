import type { Diagnostic, SourcePosition } from "../../diagnostic.js";
import { ModuleError } from "../../modules/module-error.js";
import { sampleOf } from "../../mustache/sample.js";
import { restore } from "../../mustache/tokens.js";
import type { VariablesContract } from "../../mustache/variables.js";
import type { FilledFixture, Template } from "../../template/template.js";
import type { CompileContext } from "../engine.js";
import { tokensIn } from "../sections.js";
import type { Tokenised } from "../tokenised.js";
import { findChanging } from "./changing.js";
import { findCulprit } from "./culprit.js";
import { type Example, fixtureExamples, variedExamples } from "./examples.js";
import { nameOfSteps } from "./leaves.js";
import { locate } from "./locate.js";
import { type Failure, Trial } from "./trial.js";
import { variationsOf, withLongerLists } from "./variations.js";

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
 *
 * @example
 * const diagnostics = await checkOracle({ template, html: compilation.html, fixtures, contract, context });
 */
export async function checkOracle(input: OracleInput): Promise<Diagnostic[]> {
  const { template, html, fixtures, contract } = input;
  if (fixtures.length === 0) return tokensIn(html.text).length > 0 ? [noFixture(template, contract)] : [];
  return tryExamples([...fixtureExamples(fixtures), ...variedExamples(fixtures, contract, withLongerLists)], input);
}

/**
 * The same for variations of the fixtures in values that components decide by.
 *
 * @example
 * const diagnostics = await checkVariations({ template, html, fixtures, contract, context });
 */
export async function checkVariations(input: OracleInput): Promise<Diagnostic[]> {
  return tryExamples(variedExamples(input.fixtures, input.contract, variationsOf), input);
}

/** Reports the first failing example: the others usually fail for the same reason. */
async function tryExamples(examples: readonly Example[], input: OracleInput): Promise<Diagnostic[]> {
  const { template, html, context, moments = [] } = input;
  if (examples.length === 0) return [];
  const htmlBody = restore(html.text, html.tags, "html");
  const trial = new Trial(template, htmlBody, context);
  try {
    // A component may refuse made-up variables.
    const failures = (await trial.run(examples)).filter(({ kind, example }) => kind === "differs" || !example.fixture);
    const [first] = failures;
    if (!first) return [];
    if (first.kind === "throws") return [throws(first, template)];
    const changing = await findChanging(first, { template, htmlBody, context }, moments);
    return [changing ?? (await differs(first, trial, input))];
  } catch (error) {
    if (!(error instanceof ModuleError)) throw error;
    return error.toDiagnostics("react-component", template.name);
  }
}

async function differs(
  failure: Extract<Failure, { kind: "differs" }>,
  trial: Trial,
  { template, html, contract }: OracleInput,
): Promise<Diagnostic> {
  const { example, difference } = failure;
  const culprit = await findCulprit(failure, trial, contract, example.fixture);
  const at = await locate(failure, { trial, html, file: template.body.file, culprit });
  const because = culprit ? `, because of ${nameOfSteps(culprit)}` : "";
  return {
    rule: "react-oracle",
    severity: example.severity,
    message: `With ${example.name}${because}, React renders \`${difference.left}\`, but the filled compiled body has \`${difference.right}\`.`,
    template: template.name,
    at,
    hint: "A package that the component uses makes a decision based on a variable, or code depends on the previous item of a list. Compute it in derive (variables.ts), or avoid it.",
  };
}

function throws({ example, thrown }: Extract<Failure, { kind: "throws" }>, template: Template): Diagnostic {
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
