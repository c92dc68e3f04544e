import { nearest } from "../nearest.js";
import { toPath } from "./lookup.js";
import { parse, type MustacheNode, type SectionNode, type VariableNode } from "./parse.js";
import { Shape } from "./shape.js";
import type { Condition, VariablesSchema } from "./variables.js";

/** A tag that doesn't fit the variables' type. */
export interface VariableFinding {
  /** The name as the tag has it. */
  readonly name: string;
  /** Which of the texts the tag is in. */
  readonly textIndex: number;
  /** Where the tag begins in that text, in UTF-16 units. */
  readonly offset: number;
  /** What is wrong, in one sentence that names the tag's name. */
  readonly message: string;
  /** The name that was most likely meant. */
  readonly nearName?: string;
}

/**
 * Tags whose variables the schema doesn't have, and tags that print a list or an object.
 *
 * @example
 * const schema = { type: "object", properties: { name: { type: "string" } } };
 * checkVariables(["Hi {{nmae}}"], schema, [], []);
 * // [{ name: "nmae", textIndex: 0, offset: 3, message: 'There is no variable "nmae" here.', nearName: "name" }]
 *
 * `derived` are the names that `derive` adds at the top level; what is in them isn't known, so that anything below them
 * is taken as right. The conditions' names are right everywhere. A name counts as found where Mustache would find it:
 * in the section's item, or in what is around it.
 */
export function checkVariables(
  texts: readonly string[],
  schema: VariablesSchema,
  derived: readonly string[],
  conditions: readonly Condition[],
): VariableFinding[] {
  const everywhere = new Map([
    ...derived.map((name) => [name, Shape.UNKNOWN] as const),
    ...conditions.map(({ name }) => [name, Shape.of({ type: "boolean" })] as const),
  ]);
  const root = Shape.of(schema);
  return texts.flatMap((text, textIndex) =>
    checkNodes(parse(text).nodes, { scopes: [root], everywhere }).map((finding) => ({ textIndex, ...finding })),
  );
}

interface Surroundings {
  /** The sections' items around a tag, the outermost first, the variables as a whole before them. */
  readonly scopes: readonly Shape[];
  /** What is found where no section's item has the name. */
  readonly everywhere: ReadonlyMap<string, Shape>;
}

interface Misuse {
  readonly message: string;
  readonly nearName?: string;
}

function checkNodes(nodes: readonly MustacheNode[], around: Surroundings): Omit<VariableFinding, "textIndex">[] {
  return nodes.flatMap((node) => {
    if (node.kind !== "variable" && node.kind !== "section") return [];
    const found = resolve(node.name, around);
    const problem = found instanceof Shape ? unprintable(node, found) : found;
    const findings = problem ? [{ name: node.name, offset: node.start, ...problem }] : [];
    if (node.kind === "variable") return findings;
    const inner = node.inverted ? [] : contextsOf(found instanceof Shape ? found : Shape.UNKNOWN);
    return [...findings, ...checkNodes(node.children, { ...around, scopes: [...around.scopes, ...inner] })];
  });
}

/** What a section over this may enter. */
function contextsOf(shape: Shape): Shape[] {
  const isList = shape.kinds.some(({ type }) => type === "array");
  const isOther = !shape.isKnown || shape.kinds.some(({ type }) => type !== "array");
  return [...(isOther ? [shape] : []), ...(isList ? [shape.items()] : [])];
}

function unprintable({ kind: tag, name }: VariableNode | SectionNode, shape: Shape): Misuse | undefined {
  const kind = shape.kinds.find(({ type }) => type === "array" || type === "object");
  if (tag === "section" || !kind) return undefined;
  const thing = name === "." ? "What this tag prints" : `"${name}"`;
  return kind.type === "array"
    ? { message: `${thing} is a list, which can't be printed as a whole: use a section over it.` }
    : { message: `${thing} is an object, which can't be printed as a whole: print its members.` };
}

function resolve(name: string, { scopes, everywhere }: Surroundings): Shape | Misuse {
  const { first, rest } = toPath(name);
  if (first === ".") return scopes.at(-1) ?? Shape.UNKNOWN;
  const [root = Shape.UNKNOWN, ...inner] = scopes;
  const holder = inner.findLast((scope) => !scope.isKnown || scope.member(first));
  let shape = holder ? memberOf(holder, first) : (everywhere.get(first) ?? memberOf(root, first));
  if (!shape) {
    const near = nearest(first, [...scopes.flatMap(({ names }) => names), ...everywhere.keys()]);
    return { message: `There is no variable "${first}" here.`, ...(near && { nearName: [near, ...rest].join(".") }) };
  }
  for (const [index, part] of rest.entries()) {
    const member = memberOf(shape, part);
    const path = [first, ...rest.slice(0, index)];
    if (!member) return noMember(shape, path, rest.slice(index));
    shape = member;
  }
  return shape;
}

function noMember(shape: Shape, path: readonly string[], [part = "", ...rest]: readonly string[]): Misuse {
  const holder = path.join(".");
  if (shape.kinds.every(({ type }) => type === "array")) {
    return { message: `"${holder}" is a list: "${part}" is found only in a section over it.` };
  }
  const near = nearest(part, shape.names);
  return { message: `"${holder}" has no "${part}".`, ...(near && { nearName: [...path, near, ...rest].join(".") }) };
}

function memberOf(shape: Shape, name: string): Shape | undefined {
  return shape.isKnown ? shape.member(name) : Shape.UNKNOWN;
}
