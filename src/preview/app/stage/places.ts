import { renderMustache } from "../../../mustache/fill.js";
import type { Variables } from "../../../mustache/variables.js";
import type { ElementPlace, TemplateDetail, TemplateReport } from "../../contract.js";

const NAME = /<[^\s/>]+/y;

/** The compiled html with the number of each element's place in an attribute, so that what is shown leads to its source. */
export function withPlaces(html: string, places: readonly ElementPlace[]): string {
  let placed = "";
  let copied = 0;
  places.forEach(({ offset }, index) => {
    NAME.lastIndex = offset;
    if (offset < copied || !NAME.test(html)) return;
    placed += `${html.slice(copied, NAME.lastIndex)} data-place="${index}"`;
    copied = NAME.lastIndex;
  });
  return placed + html.slice(copied);
}

/** The compiled html that the panes fill. */
export function placedHtml({ compiled, revision }: TemplateDetail, report: TemplateReport | undefined): string {
  // A report of another revision is about other html.
  return compiled ? withPlaces(compiled.html, report?.revision === revision ? report.places : []) : "";
}

/** What the panes show: filled, with the project's own images where the page has them. */
export function shownHtml(html: string, variables: Variables, assetsBase: string | undefined): string {
  const known = shown.get(variables);
  if (known?.html === html) return known.filled;
  const filled = renderMustache(html, variables, { escape: "html" });
  const local = assetsBase === undefined ? filled : filled.replaceAll(`${assetsBase}/`, "assets/");
  shown.set(variables, { html, filled: local });
  return local;
}

/** Panes that show the same fill it once. */
const shown = new WeakMap<Variables, { html: string; filled: string }>();
