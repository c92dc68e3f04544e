import { type MustacheNode, parse } from "../../mustache/parse.js";
import { imbalanceOf } from "./filled-html.js";

/**
 * Html without the sections that hold balanced html, which is so however often each is shown. Empty where the rest is balanced, too: then
 * nothing has to be filled to know it.
 *
 * @example
 * withoutWholeSections("<ul>{{#items}}<li><b>{{.}}</b></li>{{/items}}</ul>"); // ""
 * withoutWholeSections("<table>{{#a}}<i></i>{{/a}}{{#b}}<tr>{{/b}}</table>"); // "<table>{{#b}}<tr>{{/b}}</table>"
 */
export function withoutWholeSections(html: string): string {
  const left = write(parse(html).nodes);
  return left.includes("{{") || imbalanceOf(left) !== undefined ? left : "";
}

function write(nodes: readonly MustacheNode[]): string {
  return nodes
    .map((node): string => {
      if (node.kind !== "section") return node.kind === "text" ? node.text : "";
      const inner = write(node.children);
      return isWhole(inner) ? "" : `{{${node.inverted ? "^" : "#"}${node.name}}}${inner}{{/${node.name}}}`;
    })
    .join("");
}

/** A quote that has no other ends a value, or begins one. */
function isWhole(inner: string): boolean {
  if (inner.includes("{{") || inner.split('"').length % 2 === 0 || inner.split("'").length % 2 === 0) return false;
  return !inner.includes("<") || imbalanceOf(inner) === undefined;
}
