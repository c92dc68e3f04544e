import type { VariablesContract, VariablesSchema } from "./variables.js";

type Part = VariablesSchema | boolean | undefined;

/** What a schema says about one place in the variables: references followed, unions merged. Computed lazily. */
export class Shape {
  /** The possible types of a value here; empty if unknown. */
  readonly kinds: readonly VariablesSchema[];
  /** Whether these are all possible types. */
  readonly isKnown: boolean;
  readonly #root: VariablesSchema;
  readonly #members = new Map<string, Shape | undefined>();
  readonly #items = new Map<number | undefined, Shape>();
  /** Names of members that replace those of the schema. */
  readonly #added: readonly string[];
  #blank: Readonly<Record<string, null>> | undefined;

  private constructor(parts: readonly Part[], root: VariablesSchema, added: Readonly<Record<string, Shape>> = {}) {
    this.#root = root;
    const { kinds, isOpen } = splitParts(parts, root);
    this.kinds = kinds;
    this.isKnown = kinds.length > 0 && !isOpen;
    this.#added = Object.keys(added);
    for (const [name, shape] of Object.entries(added)) this.#members.set(name, shape);
  }

  static readonly #known = new WeakMap<VariablesSchema, Shape>();

  /** The shape of the variables as a whole. Cached: a schema serves many sends. */
  static of(schema: VariablesSchema): Shape {
    const shape = Shape.#known.get(schema) ?? new Shape([schema], schema);
    Shape.#known.set(schema, shape);
    return shape;
  }

  static readonly #knownFilled = new WeakMap<Pick<VariablesContract, "input" | "derived">, Shape>();

  /** The shape of the variables as the tags see them: derived variables replace passed ones. Cached as well. */
  static ofFilled(contract: Pick<VariablesContract, "input" | "derived">): Shape {
    const { input, derived = {} } = contract;
    let shape = Shape.#knownFilled.get(contract);
    if (!shape) {
      const added = Object.entries(derived.properties ?? {}).map(([name, part]) => [name, new Shape([part], derived)]);
      shape = new Shape([input], input, Object.fromEntries(added));
      Shape.#knownFilled.set(contract, shape);
    }
    return shape;
  }

  /** An object with only these members. */
  static holding(members: Readonly<Record<string, Shape>>): Shape {
    return new Shape([{ type: "object" }], {}, members);
  }

  /** A list with these items. */
  static tuple(items: readonly Shape[]): Shape {
    const list = new Shape([{ type: "array", prefixItems: items.map(() => ({})) }], {});
    for (const [index, item] of items.entries()) list.#items.set(index, item);
    return list;
  }

  /** A list of such items. */
  static listing(items: Shape): Shape {
    const list = new Shape([{ type: "array" }], {});
    list.#items.set(undefined, items);
    return list;
  }

  /** A value of unknown type. */
  static readonly UNKNOWN = Shape.of({});

  /** The names of known members. */
  get names(): string[] {
    return [...new Set([...this.kinds.flatMap(({ properties = {} }) => Object.keys(properties)), ...this.#added])];
  }

  /** Whether there may be members of any name, as in `Record<string, string>`. */
  get hasOtherNames(): boolean {
    return this.kinds.some(({ additionalProperties = false }) => additionalProperties !== false);
  }

  /** Every named member, as null. */
  get blank(): Readonly<Record<string, null>> {
    this.#blank ??= Object.fromEntries(this.names.map((name) => [name, null]));
    return this.#blank;
  }

  get mayBeList(): boolean {
    return this.kinds.some(({ type }) => type === "array");
  }

  /** Whether the value may be absent or have no members. */
  get mayLackMembers(): boolean {
    return !this.isKnown || this.kinds.some(({ type, properties }) => type !== "object" && !properties);
  }

  /** The same with only some of the possible types. */
  only(isLeft: (kind: VariablesSchema) => boolean): Shape {
    return new Shape(this.kinds.filter(isLeft), this.#root);
  }

  /** Whether each possible type requires a member. */
  requires(name: string): boolean {
    return !this.#added.includes(name) && this.isKnown && this.kinds.every(({ required }) => required?.includes(name));
  }

  /** One member; undefined if no possible type has it. */
  member(name: string): Shape | undefined {
    if (!this.#members.has(name)) {
      const parts = this.kinds.flatMap(({ properties, additionalProperties }): Part[] => {
        if (properties && Object.hasOwn(properties, name)) return [properties[name]];
        return additionalProperties ? [additionalProperties] : [];
      });
      this.#members.set(name, parts.length > 0 ? new Shape(parts, this.#root) : undefined);
    }
    return this.#members.get(name);
  }

  /** The items of a list; with an index, the item at that index. */
  items(index?: number): Shape {
    const place = this.kinds.some((kind) => kind.prefixItems) ? index : undefined;
    let shape = this.#items.get(place);
    if (!shape) {
      const parts = this.kinds.flatMap(({ prefixItems = [], items }) =>
        place === undefined ? [...prefixItems, items] : [prefixItems[place] ?? items],
      );
      shape = new Shape(parts, this.#root);
      this.#items.set(place, shape);
    }
    return shape;
  }
}

interface Parts {
  readonly kinds: readonly VariablesSchema[];
  /** Whether values of unspecified type are allowed here. */
  readonly isOpen: boolean;
}

function splitParts(parts: readonly Part[], root: VariablesSchema): Parts {
  const kinds = new Set<VariablesSchema>();
  const seen = new Set<VariablesSchema>();
  let isOpen = false;
  const visit = (part: Part): void => {
    if (typeof part !== "object" || seen.has(part)) return;
    seen.add(part);
    const { type, properties, enum: values, const: value, $ref, anyOf, oneOf, allOf } = part;
    if (type !== undefined || properties || values || value !== undefined) kinds.add(part);
    else if ($ref === undefined && !anyOf && !oneOf && !allOf) isOpen = true;
    if ($ref !== undefined) visit(referred($ref, root));
    for (const branch of [anyOf, oneOf, allOf]) branch?.forEach(visit);
  };
  parts.forEach(visit);
  return { kinds: [...kinds], isOpen };
}

/** The part of a schema that a `$ref` names. */
export function referred(reference: string, root: VariablesSchema): VariablesSchema | undefined {
  if (reference === "#") return root;
  const name = /^#\/\$defs\/(.+)$/.exec(reference)?.[1];
  return name === undefined ? undefined : root.$defs?.[name.replaceAll("~1", "/").replaceAll("~0", "~")];
}
