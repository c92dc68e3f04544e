import { readQuestion } from "./condition-forms.js";
import { NAME_RULES, type NamedNode } from "./name-rules.js";
import { shorten } from "./problems.js";
import type { MustacheNode, MustacheProblem, MustacheTree } from "./tree.js";

/**
 * Finds names that Mustache engines treat differently, so that templates must not use them: our grammar of names on top of
 * `parse`. Allowed are dotted names, `.`, and conditions in section names (`readQuestion`); partials must have been inlined
 * before.
 *
 * @example
 * checkNames(parse("{{#each items}}{{this.name}}{{/each items}}"));
 * // [{ message: '{{#each items}}: Mustache has no "each".', offset: 0, hint: "Write {{#items}} … {{/items}}." },
 * //  { message: '{{this.name}}: Mustache has no "this".', offset: 15, hint: "Write {{name}}." }]
 *
 * Problems that `parse` reports itself, such as empty tags, are not reported again.
 */
export function checkNames(tree: MustacheTree): MustacheProblem[] {
  return problemsIn(tree.nodes);
}

/**
 * Why some engines can't resolve a member by its name; undefined if all can.
 *
 * @example
 * nameProblem("first name"); // "a name can't contain spaces"
 */
export function nameProblem(member: string): string | undefined {
  if (member.includes(".")) return "a dot would separate two names";
  const node = { kind: "variable", name: member, escaped: true, start: 0, end: 0 } as const;
  return NAME_RULES.find(({ fits }) => fits(member, node))?.describe(member);
}

function problemsIn(nodes: readonly MustacheNode[]): MustacheProblem[] {
  return nodes.flatMap((node) => {
    if (node.kind === "text" || node.kind === "comment") return [];
    if (node.kind === "delimiters") return [otherDelimiters(node.start)];
    return node.kind === "section" ? [...problemsWith(node), ...problemsIn(node.children)] : problemsWith(node);
  });
}

function otherDelimiters(offset: number): MustacheProblem {
  return {
    message: "A template can't change Mustache's delimiters.",
    offset,
    hint: "Remove this tag, and write all tags with {{ and }}.",
  };
}

function problemsWith(node: NamedNode): MustacheProblem[] {
  const { start: offset } = node;
  const name = (node.kind === "section" && readQuestion(node.name)?.path) || node.name;
  const condition = node.name.slice(name.length);
  const rule = name === "" ? undefined : NAME_RULES.find(({ fits }) => fits(name, node));
  if (!rule) return [];
  const write = (other: string): string => tagWith(other + condition, node);
  return [{ message: `${write(shorten(name))}: ${rule.describe(name)}.`, offset, hint: rule.hint(name, write) }];
}

function tagWith(name: string, node: NamedNode): string {
  if (node.kind === "partial") return `{{> ${name}}}`;
  if (node.kind === "section") return `{{${node.inverted ? "^" : "#"}${name}}}`;
  return node.escaped ? `{{${name}}}` : `{{{${name}}}}`;
}
