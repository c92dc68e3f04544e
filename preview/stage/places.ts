import { renderMustache } from "../../src/mustache/fill.js";
import type { Variables } from "../../src/mustache/variables.js";
import type { ElementPlace, TemplateDetail, TemplateReport } from "../../src/preview/contract.js";

const NAME = /<[^\s/>]+/y;

/**
 * Adds the number of its source place to each element of the compiled HTML, so that elements lead back to their source.
 */
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

/** The compiled HTML that the panes fill. */
export function placedHtml({ compiled, revision }: TemplateDetail, report: TemplateReport | undefined): string {
  // A report of another revision describes different HTML.
  return compiled ? withPlaces(compiled.html, report?.revision === revision ? report.places : []) : "";
}

/** The HTML that panes show: filled, and with the project's own images loaded from the page's server. */
export function shownHtml(html: string, variables: Variables, assetsBase: string | undefined): string {
  const known = shown.get(variables);
  if (known?.html === html) return known.filled;
  const filled = renderMustache(html, variables, { escape: "html" });
  const local = assetsBase === undefined ? filled : filled.replaceAll(`${assetsBase}/`, "assets/");
  shown.set(variables, { html, filled: local });
  return local;
}

/** Panes with the same content share the filled HTML. */
const shown = new WeakMap<Variables, { html: string; filled: string }>();
