import { type MustacheNode, parse, type SectionNode, type VariableNode } from "./parse.js";
import { type Misuse, Scope } from "./scope.js";
import { Shape } from "./shape.js";
import type { VariablesContract } from "./variables.js";
import { nearest } from "../text/nearest.js";

/** A tag that doesn't fit the variables' type. */
export interface VariableFinding extends Misuse {
  /** The name in the tag. */
  readonly name: string;
  /** The index of the text that contains the tag. */
  readonly textIndex: number;
  /** The start of the tag in that text, in UTF-16 units. */
  readonly offset: number;
}

/**
 * Finds tags with unknown variables, tags that print a list or an object, and sections on which engines disagree.
 *
 * @example
 * const input = { type: "object", properties: { name: { type: "string" } } };
 * checkVariables(["Hi {{nmae}}"], { input, conditions: [] });
 * // [{ name: "nmae", textIndex: 0, offset: 3, message: 'There is no variable "nmae" here.', nearName: "name" }]
 *
 * A name counts as known if Mustache would find it: in the section's item, or in an outer scope.
 */
export function checkVariables(texts: readonly string[], contract: VariablesContract): VariableFinding[] {
  const outside = Scope.of(contract);
  return texts.flatMap((text, textIndex) =>
    checkNodes(parse(text).nodes, outside).map((finding) => ({ textIndex, ...finding })),
  );
}

function checkNodes(nodes: readonly MustacheNode[], scope: Scope): Omit<VariableFinding, "textIndex">[] {
  return nodes.flatMap((node) => {
    if (node.kind !== "variable" && node.kind !== "section") return [];
    const resolved = scope.resolve(node.name);
    const problem = resolved instanceof Shape ? (unprintable(node, resolved) ?? ambiguous(node, scope)) : resolved;
    const findings = problem ? [{ name: node.name, offset: node.start, ...problem }] : [];
    if (node.kind === "variable") return findings;
    return [...findings, ...checkNodes(node.children, node.inverted ? scope : scope.within(node.name))];
  });
}

function unprintable({ kind: tag, name }: VariableNode | SectionNode, shape: Shape): Misuse | undefined {
  const kind = shape.kinds.find(({ type }) => type === "array" || type === "object");
  if (tag === "section" || !kind) return undefined;
  const thing = name === "." ? "What this tag prints" : `"${name}"`;
  const [what, instead] =
    kind.type === "array" ? ["a list", "use a section over it"] : ["an object", "print its members"];
  return { message: `${thing} is ${what}, which can't be printed as a whole: ${instead}.` };
}

/** A printed name is put into a section of its own (`separateDotted`); a section can't be. */
function ambiguous({ kind, name }: VariableNode | SectionNode, scope: Scope): Misuse | undefined {
  if (kind !== "section" || !scope.isAmbiguous(name)) return undefined;
  const first = name.slice(0, name.indexOf("."));
  return {
    message: `If "${first}" is null in this section, some engines use the outer "${name}". Rename one of the two.`,
  };
}

/** A name that belongs to a section's items, even if an outer variable has the same name. */
export interface OwnName {
  /** The names of the sections around, outermost first; the last iterates over the items. Empty for top-level variables. */
  readonly within: readonly string[];
  readonly name: string;
}

/**
 * The problem if a section's items don't have a name that is meant to be theirs. Undefined if they do: then an absent
 * value is null, and no outer value shows through.
 */
export function missingOwnName({ within, name }: OwnName, contract: VariablesContract): Misuse | undefined {
  const { names } = Scope.of(contract).inside(within).item.shape;
  if (names.includes(name)) return undefined;
  const near = nearest(name, names);
  const section = within.at(-1);
  const message =
    section === undefined ? `There is no variable "${name}" here.` : `An item of "${section}" has no "${name}".`;
  return { message, ...(near !== undefined && { nearName: near }) };
}

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
  const tags = ambiguousTags(parse(text).nodes, Scope.of(contract));
  return tags.reduceRight((whole, tag) => whole.slice(0, tag.start) + separated(tag) + whole.slice(tag.end), text);
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
