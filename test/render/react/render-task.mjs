import { renderExamples } from "../../../dist/render/react/react-html.js";
import { installRuntime } from "../../../dist/render/react/compile-task.js";

/** Renders a component whose modules were rewritten with real variables. */
export function renderRewritten(input, context) {
  installRuntime();
  return renderExamples(input, context);
}
