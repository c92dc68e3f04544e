import { parse, type MustacheNode, type SectionNode, type VariableNode } from "./parse.js";
import { Shape } from "./shape.js";
import { type Misuse, Surroundings } from "./surroundings.js";
import type { VariablesContract } from "./variables.js";

/** A tag that doesn't fit the variables' type. */
export interface VariableFinding extends Misuse {
  /** The name as the tag has it. */
  readonly name: string;
  /** Which of the texts the tag is in. */
  readonly textIndex: number;
  /** Where the tag begins in that text, in UTF-16 units. */
  readonly offset: number;
}

/**
 * Tags whose variables there are none, tags that print a list or an object, and sections on which engines disagree.
 *
 * @example
 * const input = { type: "object", properties: { name: { type: "string" } } };
 * checkVariables(["Hi {{nmae}}"], { input, conditions: [] });
 * // [{ name: "nmae", textIndex: 0, offset: 3, message: 'There is no variable "nmae" here.', nearName: "name" }]
 *
 * A name counts as found where Mustache would find it: in the section's item, or in what is around it.
 */
export function checkVariables(texts: readonly string[], contract: VariablesContract): VariableFinding[] {
  const outside = Surroundings.of(contract);
  return texts.flatMap((text, textIndex) =>
    checkNodes(parse(text).nodes, outside).map((finding) => ({ textIndex, ...finding })),
  );
}

function checkNodes(nodes: readonly MustacheNode[], around: Surroundings): Omit<VariableFinding, "textIndex">[] {
  return nodes.flatMap((node) => {
    if (node.kind !== "variable" && node.kind !== "section") return [];
    const found = around.resolve(node.name);
    const problem = found instanceof Shape ? (unprintable(node, found) ?? ambiguous(node, around)) : found;
    const findings = problem ? [{ name: node.name, offset: node.start, ...problem }] : [];
    if (node.kind === "variable") return findings;
    const inner = node.inverted ? around : around.within(found instanceof Shape ? found : Shape.UNKNOWN);
    return [...findings, ...checkNodes(node.children, inner)];
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

/** What only prints is put into a section of its own (`separateDotted`); a section can't be. */
function ambiguous({ kind, name }: VariableNode | SectionNode, around: Surroundings): Misuse | undefined {
  if (kind !== "section" || !around.isAmbiguous(name)) return undefined;
  const first = name.slice(0, name.indexOf("."));
  return {
    message: `Where "${first}" is null in this section, some engines take "${name}" from outside of it: rename one of the two.`,
  };
}
