import { type MustacheNode, parse } from "../../mustache/parse.js";
import { imbalanceOf } from "./filled-html.js";

/**
 * Whether the html outside of all sections, and what each of them holds by itself, is balanced: then it is so however
 * often each is shown, and nothing has to be filled to know it.
 *
 * @example
 * hasWholeSections("<ul>{{#items}}<li><b>{{.}}</b></li>{{/items}}</ul>"); // true
 * hasWholeSections("<table>{{#rows}}<tr>{{/rows}}</table>"); // false
 */
export function hasWholeSections(html: string): boolean {
  return isWhole(parse(html).nodes);
}

function isWhole(nodes: readonly MustacheNode[]): boolean {
  const own = nodes.map((node) => (node.kind === "text" ? node.text : "")).join("");
  if (own.includes("<") && imbalanceOf(own) !== undefined) return false;
  return nodes.every((node) => node.kind !== "section" || isWhole(node.children));
}
