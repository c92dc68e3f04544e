import { parse, type MustacheNode } from "../mustache/parse.js";
import type { CompiledTemplate } from "../template/template.js";

/** The first parts of all names that a template's tags and conditions use, in any scope: `order` of `{{order.number}}`. */
export function namesUsed({ subject, html_body, text_body, contract }: CompiledTemplate): Set<string> {
  const asked = contract.conditions.flatMap(({ within, path }) => [...within, path].map(firstPart));
  return new Set([...asked, ...[subject, html_body, text_body].flatMap((text) => [...namesIn(text).keys()])]);
}

/** The first parts of the names in a text, with the offset of the first tag that has each. */
export function namesIn(text: string): Map<string, number> {
  const names = new Map<string, number>();
  const visit = (node: MustacheNode): void => {
    if (node.kind !== "variable" && node.kind !== "section") return;
    const first = firstPart(node.name);
    if (!names.has(first)) names.set(first, node.start);
    if (node.kind === "section") node.children.forEach(visit);
  };
  parse(text).nodes.forEach(visit);
  return names;
}

function firstPart(name: string): string {
  return name.split(".")[0] ?? "";
}
