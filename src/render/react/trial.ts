import type { Bundle } from "../../process/bundle.js";
import type { Task } from "../../process/host.js";
import { renderMustache } from "../../mustache/fill.js";
import type { Template } from "../../project/template.js";
import { resolveAssets, resolveAssetsOf } from "../assets.js";
import type { CompileContext } from "../engine.js";
import { writtenBundle } from "./component-bundles.js";
import { Findings } from "../findings.js";
import { withLanguage } from "../language.js";
import { tidy } from "../whitespace.js";
import type { Example } from "./examples.js";
import { type Difference, firstDifference, normalise, withPlainTexts } from "./normalise.js";
import type { renderExamples, RenderedExample } from "./render-task.js";

/** An example for which the compiled body differs from what React renders, or for which the component throws. */
export type Failure = { readonly example: Example } & (
  | { readonly kind: "differs"; readonly difference: Difference }
  | { readonly kind: "throws"; readonly thrown: Extract<RenderedExample, { error: string }> }
);

const RENDER: Task<typeof renderExamples> = {
  module: new URL("./render-task.js", import.meta.url),
  name: "renderExamples",
};

/** Renders a component with examples, and compares the output with its compiled body. */
export class Trial {
  readonly #template: Template;
  readonly #htmlBody: string;
  readonly #context: CompileContext;
  #bundle: Promise<Bundle> | undefined;

  constructor(template: Template, htmlBody: string, context: CompileContext) {
    this.#template = template;
    this.#htmlBody = htmlBody;
    this.#context = context;
  }

  /**
   * Tries all examples in one run.
   *
   * @throws {ModuleError} The component's modules can't be run.
   */
  async run(examples: readonly Example[]): Promise<Failure[]> {
    this.#bundle ??= writtenBundle(this.#template, this.#context);
    const rendered = await this.#context.host.run(RENDER, {
      bundle: await this.#bundle,
      examples: examples.map(({ received }) => masked(received)),
    });
    return examples
      .map((example, index) => this.#compare(example, rendered[index]))
      .filter((failure) => failure !== undefined);
  }

  /** A body filled in as for the comparison. */
  fill(body: string, example: Example): string {
    // The body was tidied before it was filled, so white space in values is tidied on both sides.
    return normalise(tidy(this.#fill(body, example)));
  }

  #fill(body: string, { filled }: Example): string {
    // A fixture may name an image in _assets, which is replaced by its URL in what React renders.
    const variables = resolveAssetsOf(filled, { template: this.#template, context: this.#context });
    return renderMustache(body, masked(variables), { escape: "html" });
  }

  #compare(example: Example, rendered: RenderedExample | undefined): Failure | undefined {
    if (!rendered) return undefined;
    if ("error" in rendered) return { kind: "throws", example, thrown: rendered };
    const [template, context] = [this.#template, this.#context];
    const html = withLanguage(rendered.html, template);
    const real = resolveAssets(html, { template, context, findings: new Findings() });
    const filled = this.#fill(this.#htmlBody, example);
    // Nearly all are equal without comparing every piece of markup.
    if (withPlainTexts(roughlyTidied(real)) === withPlainTexts(filled)) return undefined;
    const tidied = tidy(real);
    const expected = tidied.includes("{{") ? this.fill(tidied, example) : normalise(tidy(tidied));
    const difference = firstDifference(expected, normalise(tidy(filled)));
    return difference && { kind: "differs", example, difference };
  }
}

/** Removes React's comments between two texts, and the indentation of styles. */
function roughlyTidied(html: string): string {
  return html.replaceAll("<!-- -->", "").replace(/[ \t]*\n[ \t\n]*/g, "\n");
}

/** Braces in printed values must not become tags, and strings must keep their length. Mustache is filled in on both sides, because a component may print tags itself. */
function masked<T>(value: T): T;
function masked(value: unknown): unknown {
  if (typeof value === "string") return value.replace(/\{(?=\{)/g, "\uFF5B");
  if (Array.isArray(value)) return value.map((item) => masked(item));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, masked(each)]));
}
