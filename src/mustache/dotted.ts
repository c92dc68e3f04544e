import { parse, type MustacheNode, type VariableNode } from "./parse.js";
import { Scope } from "./scope.js";
import type { VariablesContract } from "./variables.js";

/**
 * Rewrites dotted names that some engines look up outside their section and others don't. Each is put into sections of
 * its own, which a null ends in every engine.
 *
 * @example
 * // Both the variables and each of the items may have a shipping.
 * separateDotted("{{#items}}{{shipping.name}}{{/items}}", contract);
 * // "{{#items}}{{#shipping}}{{name}}{{/shipping}}{{/items}}"
 */
export function separateDotted(text: string, contract: VariablesContract): string {
  const ambiguous = ambiguousTags(parse(text).nodes, Scope.of(contract));
  return ambiguous.reduceRight((whole, tag) => whole.slice(0, tag.start) + separated(tag) + whole.slice(tag.end), text);
}

/** In the order of the text. */
function ambiguousTags(nodes: readonly MustacheNode[], scope: Scope): VariableNode[] {
  return nodes.flatMap((node) => {
    if (node.kind === "variable") return scope.isAmbiguous(node.name) ? [node] : [];
    if (node.kind !== "section") return [];
    return ambiguousTags(node.children, node.inverted ? scope : scope.within(node.name));
  });
}

function separated({ name, escaped }: VariableNode): string {
  const holders = name.split(".");
  const last = holders.pop();
  const tag = escaped ? `{{${last}}}` : `{{{${last}}}}`;
  return holders.reduceRight((inner, holder) => `{{#${holder}}}${inner}{{/${holder}}}`, tag);
}
