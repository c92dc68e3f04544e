import { Evidence } from "./evidence.js";
import { toPath } from "./lookup.js";
import { parse, type MustacheNode } from "./parse.js";
import type { Condition, Variables, VariablesSchema } from "./variables.js";

/**
 * The type of a template's variables, from its tags and from examples.
 *
 * @example
 * inferSchema(["{{#vip}}VIP {{/vip}}{{#items}}{{name}}{{/items}}"], [{ vip: true, items: [{ name: "Tea" }] }]);
 * // { type: "object", required: ["vip", "items"], properties: { vip: { type: "boolean" },
 * //   items: { type: "array", items: { type: "object", required: ["name"], properties: { name: { type: "string" } } } } } }
 *
 * Give all of a template's bodies and all of its examples: a variable is optional where some examples have it and
 * others don't. What no example shows is guessed from the tags: a printed name is a string, a section that looks at
 * names of its own a list, any other section a boolean. Conditions are added by whoever fills, so they are no variables.
 */
export function inferSchema(
  texts: readonly string[],
  examples: readonly Variables[],
  conditions: readonly Pick<Condition, "name">[] = [],
): VariablesSchema {
  const root = new Evidence();
  for (const example of examples) root.observe(example);
  const body = texts.flatMap((text) => parse(text).nodes);
  const added = new Set(conditions.map(({ name }) => name));
  readTags(body, [root], added);
  // Once more: a dotted name may have shown that what was entered as a list, for want of examples, is an object.
  readTags(body, [root], added);
  return root.toObjectSchema();
}

/** The outermost first. */
type Scopes = readonly [Evidence, ...Evidence[]];

/**
 * Reads the tags of one level. What the level itself names is noted before its sections are entered, because inside of
 * them a name belongs to the nearest level that has it.
 */
function readTags(nodes: readonly MustacheNode[], scopes: Scopes, added: ReadonlySet<string>): void {
  const sections = new Map<string, MustacheNode[]>();
  const note = (node: MustacheNode): void => {
    if (node.kind === "variable") find(node.name, scopes).printed = true;
    if (node.kind !== "section") return;
    const isAdded = added.has(node.name);
    if (!isAdded) find(node.name, scopes);
    if (node.inverted || isAdded) node.children.forEach(note);
    else sections.set(node.name, [...(sections.get(node.name) ?? []), ...node.children]);
  };
  nodes.forEach(note);
  for (const [name, children] of sections) readTags(children, [...scopes, ...find(name, scopes).contexts], added);
}

function find(name: string, scopes: Scopes): Evidence {
  const { first, rest } = toPath(name);
  if (first === ".") return scopes.at(-1) ?? scopes[0];
  const candidates = scopes.filter((scope) => scope.mayHaveMembers);
  const scope = candidates.findLast(({ members }) => members.has(first)) ?? candidates.at(-1) ?? scopes[0];
  return rest.reduce((evidence, part) => evidence.member(part), scope.member(first));
}
export { checkVariables } from "./usage.js";
