import { completeVariables } from "../../../src/mustache/complete.js";
import { evaluator } from "../../../src/mustache/expression/evaluate.js";
import { renderMustache } from "../../../src/mustache/fill.js";
import { inferSchema } from "../../../src/mustache/infer.js";
import type { Variables } from "../../../src/mustache/variables.js";
import { bundleModule } from "../../../src/process/bundle.js";
import { typeInWords } from "../../../src/registry/print-type.js";
import { compactHtml } from "../../../src/render/bodies.js";
import {
  decodeReactEntities,
  firstDifference,
  normalise,
  withoutDoctype,
} from "../../../src/render/react/react-html.js";
import { componentOf, type Part, print, SCHEMA, simpler } from "./computed-generator.js";
import { Machine } from "./machine.js";
import type { Project } from "./project.js";
import { fillStrictly } from "./strict-engine.js";

const LOCALES = ["en-US", "de-DE", "ar-EG", "ja-JP"] as const;
const ZONES = ["UTC", "America/New_York", "Asia/Kathmandu"] as const;

/** How often a program is compiled at most to find a smaller one. */
const MOST_TRIED = 300;

/** How the compiler knows the types of the variables. */
export const KNOWN = ["schema", "props", "examples"] as const;

export interface Trial {
  readonly known: (typeof KNOWN)[number];
  readonly examples: readonly Variables[];
}

export interface Result {
  readonly kind: "equal" | "refused" | "wrong";
  /** What was refused, or is wrong. */
  readonly message: string;
  /** For how many examples and machines React threw. */
  readonly thrown?: number;
}

/** Compares what programs compile to with what React renders, on machines with several languages and time zones. */
export class ComputedTrials {
  readonly #project: Project;
  readonly #machines = LOCALES.map((locale) => ({ locale, machine: new Machine(locale) }));
  #runs = 0;

  constructor(project: Project) {
    this.#project = project;
  }

  async run(part: Part, { known, examples }: Trial): Promise<Result> {
    this.#runs += 1;
    const source = componentOf(part, known === "props" ? `p: ${typeInWords(SCHEMA)}` : "p");
    const { html, output, diagnostics, template } = await this.#project.compile(source, {
      fixtures: Object.fromEntries(examples.map((example, index) => [`example-${index}`, example])),
      ...(known === "schema" && { schema: SCHEMA }),
    });
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    const [error] = [...errors.filter(({ rule }) => rule !== "react-unsupported"), ...errors];
    if (error) return { kind: error.rule === "react-unsupported" ? "refused" : "wrong", message: error.message };

    const { conditions = [], ownNames = [] } = output;
    const input = known === "examples" ? inferSchema([html], examples, conditions, ownNames) : SCHEMA;
    const bundle = await bundleModule(template.body.file);
    const namesZone = print(part).includes("/* zone */");
    const machines = this.#machines.filter(({ locale }) => !namesZone || locale === "en-US");
    const compared = machines.map(async ({ locale, machine }, index) => {
      const timeZone = ZONES[(index + this.#runs) % ZONES.length] ?? "UTC";
      const rendered = await machine.render(bundle, { folder: this.#project.folder, timeZone, examples });
      return rendered.map((react, at) => {
        if ("error" in react) return undefined;
        const example = examples[at] ?? {};
        const filled = completeVariables({ input, conditions }, example, {}, { evaluator, locale, timeZone });
        const ours = renderMustache(html, filled, { escape: "html" });
        const strict = fillStrictly(html, JSON.parse(JSON.stringify(filled)));
        const difference = firstDifference(tidied(withoutDoctype(react.html)), tidied(ours));
        const departing = firstDifference(decodeReactEntities(strict), decodeReactEntities(ours));
        const using = `${locale}, ${timeZone}, ${JSON.stringify(example)}`;
        if (difference) return `React has ${difference.left}\nfilled has ${difference.right}\nwith ${using}`;
        return departing ? `A strict engine has ${departing.left}\nfilled has ${departing.right}\nwith ${using}` : "";
      });
    });
    const results = (await Promise.all(compared)).flat();
    const thrown = results.filter((message) => message === undefined).length;
    const message = results.find((each) => each !== undefined && each !== "");
    return message === undefined ? { kind: "equal", message: "", thrown } : { kind: "wrong", message, thrown };
  }

  /** The smallest program found with the same kind of result. */
  async shrink(part: Part, trial: Trial, found: Result): Promise<{ readonly part: Part; readonly found: Result }> {
    let smallest = { part, found };
    let candidates = simpler(part);
    for (let tried = 0; candidates.length > 0 && tried < MOST_TRIED; tried += 1) {
      const [candidate, ...others] = candidates;
      candidates = others;
      if (!candidate) break;
      const result = await this.run(candidate, trial);
      if (result.kind !== found.kind) continue;
      smallest = { part: candidate, found: result };
      candidates = simpler(candidate);
    }
    return smallest;
  }

  close(): void {
    for (const { machine } of this.#machines) machine.close();
  }
}

/**
 * Half of an emoji, from a cut string, becomes the replacement character in the bytes that are sent. Of times before 1970, V8
 * knows the name of the zone, and `Intl` does not.
 */
function tidied(html: string): string {
  const sent = Buffer.from(html).toString();
  return normalise(compactHtml(sent)).replace(/(gmt[+-]\d{4}) \([^)]*\)/gi, "$1");
}

export function describeResult({ part, found }: { readonly part: Part; readonly found: Result }, trial: Trial): string {
  return `${print(part)}\nTypes from the ${trial.known}. ${found.message}`;
}
