import type { Bundle } from "../../../src/modules/bundle.js";
import type { Task } from "../../../src/modules/task.js";
import type { Variables } from "../../../src/mustache/variables.js";
import type { compileComponent } from "../../../src/render/react/compile-task.js";
import type { renderExamples, RenderedExample } from "../../../src/render/react/render-task.js";
import type { Project } from "./project.js";

const dist = new URL("../../../dist/render/react/", import.meta.url);
export const RENDER: Task<typeof renderExamples> = { module: new URL("render-task.js", dist), name: "renderExamples" };
const COMPILE: Task<typeof compileComponent> = { module: new URL("compile-task.js", dist), name: "compileComponent" };

/** Renders a bundle with real variables; one that was rewritten too. */
export async function renderWith(
  { context: { host } }: Project,
  bundle: Bundle,
  variables: Variables,
): Promise<RenderedExample | undefined> {
  // Rewritten modules call the runtime, which compiling puts in place.
  await host.run(COMPILE, { bundle, examples: [variables] });
  const [rendered] = await host.run(RENDER, { bundle, examples: [variables] });
  return rendered;
}
