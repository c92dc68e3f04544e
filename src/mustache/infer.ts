import { isSelection } from "./complete.js";
import { Evidence } from "./evidence.js";
import { followReferences } from "./expression/references.js";
import { toPath } from "./lookup.js";
import type { OwnName } from "./check-variables.js";
import { type MustacheNode, parse } from "./parse.js";
import type { Computed, Condition, Variables, VariablesSchema } from "./variables.js";

/**
 * Infers the type of a template's variables from its tags and examples.
 *
 * @example
 * inferSchema(["{{#vip}}VIP {{/vip}}{{#items}}{{name}}{{/items}}"], [{ vip: true, items: [{ name: "Tea" }] }]);
 * // { type: "object", required: ["vip", "items"], properties: { vip: { type: "boolean" },
 * //   items: { type: "array", items: { type: "object", required: ["name"], properties: { name: { type: "string" } } } } } }
 *
 * Pass all of a template's bodies and all of its examples. A variable is optional if there is evidence for it: some
 * examples lack it, one has it as null, or a condition tests whether it is there. What no example shows is guessed from
 * the tags: a printed name is a string, a section that uses names of its own is a list, any other section is a boolean.
 * Names that conditions add are not variables.
 *
 * @param ownNames Names in sections that belong to the items, even if an outer variable has the same name.
 */
export function inferSchema(
  texts: readonly string[],
  examples: readonly Variables[],
  conditions: readonly Condition[] = [],
  ownNames: readonly OwnName[] = [],
): VariablesSchema {
  return gatherEvidence({ texts, examples, conditions, ownNames }).toObjectSchema("needed");
}

export interface InferenceSources {
  /** All of a template's bodies. */
  readonly texts: readonly string[];
  readonly examples: readonly Variables[];
  readonly conditions: readonly Condition[];
  readonly ownNames: readonly OwnName[];
  /** A known schema: names resolve to where it has them. */
  readonly schema?: VariablesSchema;
}

/** What bodies, examples and conditions show about the variables as a whole. */
export function gatherEvidence({ texts, examples, conditions, ownNames, schema }: InferenceSources): Evidence {
  const root = new Evidence();
  if (schema) root.expect(schema);
  for (const example of examples) root.observe(example);
  const body = texts.flatMap((text) => parse(text).nodes);
  const reader = new TagReader(conditions);
  for (const own of ownNames) reader.expect(own, root);
  reader.read(body, [root]);
  // Twice: a dotted name may have revealed that what was entered as a list, for lack of examples, is an object.
  reader.read(body, [root]);
  for (const condition of conditions) reader.ask(condition, [root]);
  return root;
}

/** The outermost first. */
type Scopes = readonly [Evidence, ...Evidence[]];

class TagReader {
  readonly #added: ReadonlyMap<string, Condition>;

  constructor(conditions: readonly Condition[]) {
    this.#added = new Map(conditions.map((condition) => [condition.name, condition]));
  }

  /**
   * Reads the tags of one level. Names in the level itself are recorded before its sections are entered, because inside a
   * section a name belongs to the nearest level that has it.
   */
  read(nodes: readonly MustacheNode[], scopes: Scopes): void {
    const sections = new Map<string, MustacheNode[]>();
    const note = (node: MustacheNode): void => {
      if (node.kind === "variable") this.#find(node.name, scopes).printed = true;
      if (node.kind !== "section") return;
      const isBoolean = this.#isBoolean(node.name);
      if (!isBoolean) this.#find(node.name, scopes);
      if (node.inverted || isBoolean) node.children.forEach(note);
      else sections.set(node.name, [...(sections.get(node.name) ?? []), ...node.children]);
    };
    nodes.forEach(note);
    for (const [name, children] of sections) this.read(children, this.#within(name, scopes));
  }

  /** Records that items have a name, before tags with that name are read. */
  expect({ within, name }: OwnName, root: Evidence): void {
    let scopes: Scopes = [root];
    let item = root;
    for (const section of within) {
      item = this.#find(section, scopes).item;
      scopes = this.#within(section, scopes);
    }
    item.member(name);
  }

  ask({ within, path, test }: Condition, outermost: Scopes): void {
    const scopes = within.reduce((around, name) => this.#within(name, around), outermost);
    if (test.kind === "computed") this.#read(test, within, outermost);
    else this.#find(path, scopes).ask(test);
  }

  /** Records the variables in an expression. Returns what its result is, if that is a variable. */
  #read({ expression }: Computed, within: readonly string[], outermost: Scopes): Evidence | undefined {
    return followReferences(expression, {
      variable: ({ scope = 0, names }) => {
        const scopes = within.slice(0, scope).reduce((around, name) => this.#within(name, around), outermost);
        return names.reduce((evidence, name) => named(evidence.member(name)), scopes.at(-1) ?? outermost[0]);
      },
      member: (of, name) => named(of.member(name)),
      item: (of) => of.item,
    });
  }

  /** Whether it is a boolean condition, which does not open another scope. */
  #isBoolean(name: string): boolean {
    const condition = this.#added.get(name);
    return condition !== undefined && !isSelection(condition.test);
  }

  #within(name: string, scopes: Scopes): Scopes {
    if (this.#isBoolean(name)) return scopes;
    const value = this.#find(name, scopes);
    // A single selected item is hardly ever a list.
    const isItem = this.#added.get(name)?.test.kind === "item";
    return [...scopes, ...(isItem && !value.isExemplified ? [value] : value.contexts)];
  }

  #find(name: string, scopes: Scopes): Evidence {
    const { first, rest } = toPath(name);
    if (first === ".") return scopes.at(-1) ?? scopes[0];
    return rest.reduce((evidence, part) => named(evidence.member(part)), named(this.#findFirst(first, scopes)));
  }

  #findFirst(name: string, scopes: Scopes): Evidence {
    const added = this.#added.get(name);
    if (added) return this.#selected(added, scopes);
    const candidates = scopes.filter((scope) => scope.mayHaveMembers);
    const scope = candidates.findLast(({ members }) => members.has(name)) ?? candidates.at(-1) ?? scopes[0];
    return scope.member(name);
  }

  /** A non-boolean that a condition adds: an item of a list, its items in objects, or the value itself. */
  #selected({ path, test, within }: Condition, [variables]: Scopes): Evidence {
    const there = within.reduce<Scopes>((scopes, section) => this.#within(section, scopes), [variables]);
    if (test.kind === "computed") return this.#read(test, within, [variables]) ?? new Evidence();
    if (test.kind === "value") return this.#find(path, there);
    if (test.kind === "item") return this.#find(path, there).item;
    const holder = new Evidence();
    if (test.kind === "items") holder.members.set(test.as, this.#find(path, there).item);
    return holder;
  }
}

function named(evidence: Evidence): Evidence {
  evidence.isNamedInTags = true;
  return evidence;
}

/**
 * Closes a schema that leaves types open, using bodies, examples and conditions: what the schema declares counts, open
 * types are inferred, and names that only tags have are added.
 */
export function closeSchema(schema: VariablesSchema, sources: Omit<InferenceSources, "schema">): VariablesSchema {
  return closeWith(schema, gatherEvidence({ ...sources, schema }));
}

/** Whether a schema declares no type at all. */
export function isOpenSchema(schema: VariablesSchema): boolean {
  return Object.keys(schema).every((keyword) => keyword === "description");
}

function closeWith(schema: VariablesSchema, evidence: Evidence): VariablesSchema {
  const { items, anyOf } = schema;
  if (isOpenSchema(schema)) return { ...evidence.toSchema("needed"), ...schema };
  if (anyOf) {
    const known = anyOf.flatMap((kind) => Object.keys(kind.properties ?? {}));
    return {
      ...schema,
      anyOf: anyOf.map((kind) =>
        kind.type === "object" ? closeObject(kind, evidence, known) : closeWith(kind, evidence),
      ),
    };
  }
  if (schema.type === "object") return closeObject(schema, evidence, []);
  return typeof items === "object" ? { ...schema, items: closeWith(items, evidence.item) } : schema;
}

/** @param known Names of members that it need not have because another type in the same union has them. */
function closeObject(schema: VariablesSchema, evidence: Evidence, known: readonly string[]): VariablesSchema {
  const { properties = {}, required = [], additionalProperties } = schema;
  const neededNames = evidence.toObjectSchema("needed").required ?? [];
  const declared = Object.entries(properties).flatMap(([name, member]) => {
    const ofMember = evidence.member(name);
    return isOpenSchema(member) && !hasEvidence(ofMember) ? [] : [[name, closeWith(member, ofMember)] as const];
  });
  const added = [...evidence.members].filter(
    ([name, { isNamedInTags }]) => isNamedInTags && !Object.hasOwn(properties, name) && !known.includes(name),
  );
  const others = typeof additionalProperties === "object" ? additionalProperties : {};
  const addedMembers = added.map(([name, ofMember]) => [name, closeWith(others, ofMember)] as const);
  const all = { ...Object.fromEntries(declared), ...Object.fromEntries(addedMembers) };
  // The type doesn't say what an open member may be, so it doesn't prove that the member is always there.
  const isRequired = (name: string): boolean => {
    const member = properties[name];
    if (!member) return additionalProperties === undefined && neededNames.includes(name);
    return required.includes(name) && (!isOpenSchema(member) || neededNames.includes(name));
  };
  return { ...schema, properties: all, required: Object.keys(all).filter(isRequired) };
}

/** Whether an example or a tag has it. */
function hasEvidence({ isUsed, isNamedInTags }: Evidence): boolean {
  return isUsed || isNamedInTags;
}
