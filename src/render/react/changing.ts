import type { Diagnostic, SourcePosition } from "../../diagnostic.js";
import type { Template } from "../../template/template.js";
import type { CompileContext } from "../engine.js";
import { type Failure, Trial } from "./trial.js";

type Differing = Extract<Failure, { kind: "differs" }>;

/** As near as the same text differs once more, where a date or a random number stands in it. */
const NEAR = 40;

/**
 * Whether a component differs from its body for no variable's sake: because it renders otherwise each time. It is rendered
 * once more with the same variables, its modules loaded anew, and by a clock that is more than a year ahead.
 *
 * @param moments Where the template's own code asks for the time or for chance.
 * @returns undefined where it renders the same.
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
    const more = places === "" ? "" : ` The time, or chance, is asked for in other places too: ${places}.`;
    return {
      rule: "not-reproducible",
      severity: "error",
      message: `With the same variables, the component renders \`${difference.left}\`, then \`${again.difference.left}\`.`,
      template: template.name,
      at,
      hint: `Nothing that a template prints may depend on the time, on chance or on the order in which things happen: pass it as a variable.${more}`,
    };
  } finally {
    await host.close();
  }
}
