import { scanMarkup } from "../../../src/text/markup/scan.js";
import { OpenElements } from "../../../src/text/markup/open-elements.js";
import { piecesInView } from "../../../src/render/invariants/balance.js";

/**
 * Why filled HTML is not balanced, as email clients or Outlook for Windows see it.
 *
 * @example
 * imbalanceOf("<table><tr></table>"); // "<tr> is never closed before </table>."
 */
export function imbalanceOf(html: string): string | undefined {
  const [broken] = scanMarkup(html).problems;
  if (broken) return broken.message;
  const opened = html.match(/<!(?:--)?\[if\b/g)?.length ?? 0;
  const closed = html.match(/<!\[endif\]/g)?.length ?? 0;
  if (opened !== closed) return `${opened} conditional comments begin and ${closed} end.`;
  return inView(html, "normal") ?? (opened > 0 ? inView(html, "outlook") : undefined);
}

function inView(html: string, view: "normal" | "outlook"): string | undefined {
  // Strict checking names the missing tag best, but HTML allows some end tags to be left out.
  const problem = problemOf(html, view, false);
  return problem === undefined || problemOf(html, view, true) === undefined ? undefined : problem;
}

function problemOf(html: string, view: "normal" | "outlook", endsParts: boolean): string | undefined {
  const where = view === "outlook" ? " for Outlook, which reads the conditional comments," : "";
  const elements = new OpenElements(where, endsParts);
  for (const { piece, hidden } of piecesInView(html, view)) {
    if (hidden) continue;
    if (piece.kind === "open") elements.open(piece);
    const problem = piece.kind === "close" ? elements.close(piece.name, piece.start) : undefined;
    if (problem) return problem.message;
  }
  return elements.unclosed()?.message;
}
