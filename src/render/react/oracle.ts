import type { Diagnostic } from "../../diagnostic.js";
import { bundleModule } from "../../modules/bundle.js";
import { ModuleError } from "../../modules/module-error.js";
import type { Task } from "../../modules/task.js";
import { renderMustache } from "../../mustache/fill.js";
import type { VariablesContract } from "../../mustache/variables.js";
import type { FilledFixture, Template } from "../../template/template.js";
import { resolveAssets } from "../assets.js";
import type { CompileContext } from "../engine.js";
import { Findings } from "../findings.js";
import { tidy } from "../whitespace.js";
import { examplesOf, type Example } from "./examples.js";
import { firstDifference, normalise } from "./normalise.js";
import type { renderExamples, RenderedExample } from "./render-task.js";

export interface OracleInput {
  readonly template: Template;
  /** Compiled. */
  readonly htmlBody: string;
  readonly fixtures: readonly FilledFixture[];
  readonly context: CompileContext;
  /** With it, variations of the fixtures are tried too. */
  readonly contract?: VariablesContract;
}

const RENDER: Task<typeof renderExamples> = {
  module: new URL("./render-task.js", import.meta.url),
  name: "renderExamples",
};

/**
 * The sixth invariant: what React renders with real variables is what the compiled body is when it is filled with them.
 * It finds what was decided while compiling in code that is not rewritten, that of packages.
 *
 * @example
 * const diagnostics = await checkOracle({ template, htmlBody: fields.html_body, fixtures, context });
 */
export async function checkOracle(input: OracleInput): Promise<Diagnostic[]> {
  const { template, htmlBody, fixtures, context, contract } = input;
  if (fixtures.length === 0) return /\{\{/.test(htmlBody) ? [noFixture(template)] : [];
  const examples = examplesOf(fixtures, contract);
  try {
    const bundle = await bundleModule(template.body.file);
    const rendered = await context.host.run(RENDER, {
      bundle,
      examples: examples.map(({ received }) => masked(received)),
    });
    const checks = examples.map((example, index) => compare(example, rendered[index], input));
    const found = (await Promise.all(checks)).filter((diagnostic) => diagnostic !== undefined);
    return found.slice(0, 1);
  } catch (error) {
    if (!(error instanceof ModuleError)) throw error;
    return [error.toDiagnostic("react-component", template.name)];
  }
}

async function compare(
  example: Example,
  rendered: RenderedExample | undefined,
  input: OracleInput,
): Promise<Diagnostic | undefined> {
  const { template, htmlBody, context } = input;
  if (!rendered) return undefined;
  if ("error" in rendered) return example.isVariation ? undefined : threw(example, rendered, template);
  const filled = masked(example.filled);
  const real = await resolveAssets(tidy(rendered.html), { template, context, findings: new Findings() });
  const expected = real.includes("{{") ? renderMustache(real, filled, { escape: "html" }) : real;
  // The body was tidied before it was filled, so white space within values is tidied on both sides here.
  const actual = tidy(renderMustache(htmlBody, filled, { escape: "html" }));
  const difference = firstDifference(normalise(tidy(expected)), normalise(actual));
  if (!difference) return undefined;
  return {
    rule: "react-oracle",
    severity: example.severity,
    message: `With ${example.name}, React renders \`${difference.left}\`, and the compiled body filled in is \`${difference.right}\`.`,
    template: template.name,
    at: { file: template.body.file },
    hint: "A package that the component uses decides something by a variable. Compute it in derive (variables.ts), or do without.",
  };
}

function threw(
  example: Example,
  { error, at }: Extract<RenderedExample, { error: string }>,
  template: Template,
): Diagnostic {
  return {
    rule: "react-component",
    severity: "error",
    message: `With ${example.name}, the component throws: ${error}`,
    template: template.name,
    at: at ?? { file: template.body.file },
  };
}

function noFixture({ name, body }: Template): Diagnostic {
  return {
    rule: "react-fixture",
    severity: "error",
    message: "The template has variables and no fixture, so that nothing shows whether it was compiled right.",
    template: name,
    at: { file: body.file },
    hint: `Add fixtures/default.json with an example of its variables, or PreviewProps.`,
  };
}

/** Braces in what is printed are no tags: Mustache is filled in on both sides, for tags that a component writes itself. */
function masked<T>(value: T): T;
function masked(value: unknown): unknown {
  if (typeof value === "string") return value.replace(/\{(?=\{)/g, "{\u2060");
  if (Array.isArray(value)) return value.map((item) => masked(item));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, masked(each)]));
}
