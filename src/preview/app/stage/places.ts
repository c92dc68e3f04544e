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

/** The project's own version as the panes show it: filled, its own images where the page has them. */
export function shownHtml(
  { compiled, revision }: TemplateDetail,
  report: TemplateReport | undefined,
  variables: Variables,
  assetsBase: string | undefined,
): string {
  if (!compiled) return "";
  // A report of another revision is about other html.
  const places = report?.revision === revision ? report.places : [];
  const known = shown.get(variables);
  if (known?.html === compiled.html && known.places === places) return known.filled;
  const filled = renderMustache(withPlaces(compiled.html, places), variables, { escape: "html" });
  const local = assetsBase === undefined ? filled : filled.replaceAll(`${assetsBase}/`, "assets/");
  shown.set(variables, { html: compiled.html, places, filled: local });
  return local;
}

/** Panes that show the same fill it once. */
const shown = new WeakMap<Variables, { html: string; places: readonly ElementPlace[]; filled: string }>();
