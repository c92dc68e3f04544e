import { parse, type MustacheNode, type SectionNode, type VariableNode } from "./parse.js";
import { type Misuse, Scope } from "./scope.js";
import { Shape } from "./shape.js";
import type { VariablesContract } from "./variables.js";

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
