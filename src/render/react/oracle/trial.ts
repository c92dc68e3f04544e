import type { Severity } from "../../../diagnostic.js";
import type { Place } from "../../../mustache/expression/localised.js";
import { renderMustache } from "../../../mustache/fill.js";
import type { Variables, VariablesContract } from "../../../mustache/variables.js";
import type { Bundle } from "../../../process/bundle.js";
import type { Task } from "../../../process/host.js";
import { completeEach } from "../../computed/complete-variables.js";
import type { FilledFixture, Template } from "../../../project/template.js";
import { resolveAssets, resolveAssetsOf } from "../../assets.js";
import type { CompileContext } from "../../engine.js";
import { Findings } from "../../findings.js";
import { compactHtml, withLanguage } from "../../bodies.js";
import { writtenBundle } from "../component-bundles.js";
import { isRecord } from "../../../values.js";
import {
  type ExamplesInput,
  firstDifference,
  normalise,
  type RenderedExample,
  type renderExamples,
  type TextDifference,
  withPlainTexts,
} from "../react-html.js";
import type { Variation } from "./variations.js";

/** An example for which the compiled body differs from what React renders, or for which the component throws. */
export type OracleFailure = { readonly example: OracleExample } & (
  | { readonly kind: "differs"; readonly difference: TextDifference }
  | { readonly kind: "throws"; readonly thrown: Extract<RenderedExample, { error: string }> }
);

export type DifferingResult = Extract<OracleFailure, { kind: "differs" }>;

const RENDER: Task<typeof renderExamples> = {
  module: new URL("../react-html.js", import.meta.url),
  name: "renderExamples",
};

export interface TrialInput {
  readonly template: Template;
  readonly htmlBody: string;
  readonly contract: VariablesContract;
  readonly context: CompileContext;
}

/** Renders a component with examples, and compares the output with its compiled body. */
export class Trial {
  readonly #template: Template;
  readonly #htmlBody: string;
  readonly #contract: VariablesContract;
  readonly #context: CompileContext;
  #bundle: Promise<Bundle> | undefined;

  constructor({ template, htmlBody, contract, context }: TrialInput) {
    this.#template = template;
    this.#htmlBody = htmlBody;
    this.#contract = contract;
    this.#context = context;
  }

  /**
   * Tries all examples in one run.
   *
   * @throws {ModuleError} The component's modules can't be run.
   */
  async run(examples: readonly OracleExample[]): Promise<OracleFailure[]> {
    const failures = await this.#try(examples, "project's");
    const elsewhere = failures.filter(({ example }) => example.place);
    if (elsewhere.length === 0) return failures;
    // The component's modules may have made formatters when they were loaded.
    const again = await this.#try(
      elsewhere.map(({ example }) => example),
      "example's",
    );
    return [...failures.filter(({ example }) => !example.place), ...again];
  }

  async #try(examples: readonly OracleExample[], loadedIn: ExamplesInput["loadedIn"]): Promise<OracleFailure[]> {
    this.#bundle ??= writtenBundle(this.#template, this.#context);
    const placed = examples.map(({ received, place }) => ({ variables: masked(received), place }));
    const input = { bundle: await this.#bundle, contract: this.#contract, examples: placed, loadedIn };
    const rendered = await this.#context.host.run(RENDER, input, { place: this.#context });
    return examples
      .map((example, index) => this.#compare(example, rendered[index]))
      .filter((failure) => failure !== undefined);
  }

  fill(body: string, example: OracleExample): string {
    // The body was tidied before it was filled, so white space in values is tidied on both sides.
    return normalise(compactHtml(this.#fill(body, example)));
  }

  #fill(body: string, { filled }: OracleExample): string {
    // A fixture may name an image in _assets, which is replaced by its URL in what React renders.
    const variables = resolveAssetsOf(filled, { template: this.#template, context: this.#context });
    const html = renderMustache(body, masked(variables), { escape: "html" });
    return html.replaceAll(/\p{Surrogate}/gu, "\uFFFD"); // Half of an emoji, as in UTF-8.
  }

  #compare(example: OracleExample, rendered: RenderedExample | undefined): OracleFailure | undefined {
    if (!rendered) return undefined;
    if ("error" in rendered) return { kind: "throws", example, thrown: rendered };
    const [template, context] = [this.#template, this.#context];
    const html = withLanguage(rendered.html, template);
    const real = resolveAssets(html, { template, context, findings: new Findings() });
    const filled = this.#fill(this.#htmlBody, example);
    // Nearly all are equal without comparing every piece of markup.
    if (withPlainTexts(roughlyTidied(real)) === withPlainTexts(filled)) return undefined;
    const tidied = compactHtml(real);
    const expected = tidied.includes("{{") ? this.fill(tidied, example) : normalise(compactHtml(tidied));
    const difference = firstDifference(expected, normalise(compactHtml(filled)));
    return difference && { kind: "differs", example, difference };
  }
}

/** Removes the indentation of styles. */
function roughlyTidied(html: string): string {
  return html.replace(/[ \t]*\n[ \t\n]*/g, "\n");
}

/** Braces in printed values must not become tags, and strings must keep their length. Mustache is filled in on both sides, because a component may print tags itself. */
function masked<T>(value: T): T;
function masked(value: unknown): unknown {
  if (typeof value === "string") return value.replace(/\{(?=\{)/g, "\uFF5B");
  if (Array.isArray(value)) return value.map((item) => masked(item));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, masked(each)]));
}

/** One set of variables for both sides of the oracle. */
export interface OracleExample {
  /** `the fixture "default"` */
  readonly name: string;
  /** As JSON. */
  readonly received: Variables;
  /** The variables that fill the compiled body. */
  readonly filled: Variables;
  readonly severity: Severity;
  /** The fixture that a variation was made from. */
  readonly fixture?: OracleExample;
  /** Default: that of the project. */
  readonly place?: Place | undefined;
}

export function fixtureExamples(fixtures: readonly FilledFixture[]): OracleExample[] {
  return fixtures.map((fixture) => ({
    name: `the fixture "${fixture.name}"`,
    received: withoutAdditions(fixture.variables, fixture.input),
    filled: fixture.variables,
    severity: "error",
  }));
}

/** Variations of the fixtures, without duplicates. */
export async function variedExamples(
  { template, fixtures, contract, context }: VariedInput,
  variationsOf: (example: Variables, contract: VariablesContract, home: Place) => readonly Variation[],
): Promise<OracleExample[]> {
  const varied = new Map<string, Omit<OracleExample, "filled">>();
  for (const fixture of fixtureExamples(fixtures)) {
    for (const { name, variables, severity, place } of variationsOf(fixture.received, contract, context)) {
      const key = JSON.stringify([variables, place]);
      if (varied.has(key)) continue;
      varied.set(key, { name: `${fixture.name}, ${name}`, received: variables, severity, fixture, place });
    }
  }
  return fillExamples([...varied.values()], { template, contract, context });
}

interface VariedInput extends CompletedTemplate {
  readonly fixtures: readonly FilledFixture[];
}

interface CompletedTemplate {
  readonly template: Template;
  readonly contract: VariablesContract;
  readonly context: CompileContext;
}

/** Without those whose values take too much to compute: an application could not send them. */
export async function fillExamples<Example extends Omit<OracleExample, "filled">>(
  examples: readonly Example[],
  { template, contract, context }: CompletedTemplate,
): Promise<(Example & Pick<OracleExample, "filled">)[]> {
  const filled: (Example & Pick<OracleExample, "filled">)[] = [];
  for (const place of new Set(examples.map((example) => example.place))) {
    const placed = examples.filter((example) => example.place === place);
    const passed = placed.map(({ received }) => ({ input: received }));
    const completed = await completeEach(template, contract, passed, { ...context, ...place });
    for (const [index, example] of placed.entries()) {
      const result = completed[index];
      if (result && "variables" in result) filled.push({ ...example, filled: result.variables });
    }
  }
  return filled;
}

/** A fixture's variables including derived ones, without additions for Mustache: conditions and nulls. */
function withoutAdditions(value: Variables, passed: unknown): Variables {
  const entries = Object.entries(value).filter(
    ([name, each]) =>
      (isObjectOrList(passed) && Object.hasOwn(passed, name)) || (each !== null && !name.includes("__")),
  );
  return Object.fromEntries(entries.map(([name, each]) => [name, withoutAdditionsIn(each, memberOf(passed, name))]));
}

function withoutAdditionsIn(value: unknown, passed: unknown): unknown {
  if (Array.isArray(value))
    return value.map((item, index) => withoutAdditionsIn(item, memberOf(passed, String(index))));
  return isRecord(value) ? withoutAdditions(value, passed) : value;
}

function memberOf(value: unknown, name: string): unknown {
  return isObjectOrList(value) ? Reflect.get(value, name) : undefined;
}

function isObjectOrList(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
