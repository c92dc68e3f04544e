import type { Bundle } from "../../process/bundle.js";
import type { TaskContext } from "../../process/host.js";
import type { SourcePosition } from "../../diagnostic.js";
import type { Variables } from "../../mustache/variables.js";
import { loadReact } from "./compile-task.js";
import { elementOf, renderHtml, withDoctype } from "./render-html.js";

/** What a component renders with real variables, or the error that it threw. */
export type RenderedExample = { readonly html: string } | { readonly error: string; readonly at?: SourcePosition };

/** Renders the unmodified component with real variables, in a worker. */
export async function renderExamples(
  { bundle, examples }: { readonly bundle: Bundle; readonly examples: readonly Variables[] },
  context: TaskContext,
): Promise<RenderedExample[]> {
  const { default: component } = await context.load(bundle);
  const react = loadReact(bundle.file);
  const rendered: RenderedExample[] = [];
  for (const variables of examples) {
    try {
      rendered.push({ html: withDoctype(await renderHtml(elementOf(component, variables, react), react)) });
    } catch (thrown) {
      const error = thrown instanceof Error ? thrown : new Error(String(thrown));
      const at = context.positionOf(error);
      rendered.push({ error: error.message, ...(at && { at }) });
    }
  }
  return rendered;
}
