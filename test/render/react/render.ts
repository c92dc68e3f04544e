import type { Bundle } from "../../../src/process/bundle.js";
import type { Task } from "../../../src/process/host.js";
import type { Variables } from "../../../src/mustache/variables.js";
import type { renderExamples, RenderedExample } from "../../../src/render/react/react-html.js";
import type { Project } from "./project.js";

export const RENDER: Task<typeof renderExamples> = {
  module: new URL("./render-task.mjs", import.meta.url),
  name: "renderRewritten",
};

/** Renders a bundle with real variables, whether it was rewritten or not. */
export async function renderWith(
  { context: { host } }: Project,
  bundle: Bundle,
  variables: Variables,
): Promise<RenderedExample | undefined> {
  const [rendered] = await host.run(RENDER, { bundle, contract: { input: {} }, examples: [{ variables }] });
  return rendered;
}
