import type { Diagnostic, SourcePosition } from "../../diagnostic.js";
import type { Template } from "../../template/template.js";
import type { CompileContext } from "../engine.js";
import { type Failure, Trial } from "./trial.js";

type Differing = Extract<Failure, { kind: "differs" }>;

/** Maximum distance between two differences that count as the same, such as a date or random number in the text. */
const NEAR = 40;

/**
 * Whether a component differs from its body because it renders differently each time, not because of a variable. It is
 * rendered again with the same variables, with freshly loaded modules and a clock that is more than a year ahead.
 *
 * @param moments Where the template's own code reads the time or random numbers.
 * @returns Undefined if it renders the same.
 */
export async function findChanging(
  { example, difference }: Differing,
  { template, htmlBody, context }: { template: Template; htmlBody: string; context: CompileContext },
  moments: readonly SourcePosition[],
): Promise<Diagnostic | undefined> {
  const host = context.host.another({ later: true });
  try {
    const [again] = await new Trial(template, htmlBody, { ...context, host }).run([example]);
    if (again?.kind !== "differs" || again.difference.left === difference.left) return undefined;
    if (Math.abs(again.difference.at - difference.at) > NEAR) return undefined;
    const [at = { file: template.body.file }, ...others] = moments;
    const places = others.map(({ file, line }) => `${file}:${line}`).join(", ");
    const more = places === "" ? "" : ` Other places that read the time or random numbers: ${places}.`;
    return {
      rule: "not-reproducible",
      severity: "error",
      message: `With the same variables, the component renders \`${difference.left}\` once and \`${again.difference.left}\` another time.`,
      template: template.name,
      at,
      hint: `A template's output must not depend on the time, random numbers or the order of events. Pass such values as variables.${more}`,
    };
  } finally {
    await host.close();
  }
}
