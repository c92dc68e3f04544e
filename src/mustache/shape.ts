import type { VariablesSchema } from "./variables.js";

type Part = VariablesSchema | boolean | undefined;

/** What a schema says of one place in the variables: references followed, unions taken together. Found out lazily. */
export class Shape {
  /** The ways that a value here may be; none where nothing is known of it. */
  readonly kinds: readonly VariablesSchema[];
  readonly #root: VariablesSchema;
  readonly #members = new Map<string, Shape | undefined>();
  readonly #items = new Map<number | undefined, Shape>();
  #blank: Readonly<Record<string, null>> | undefined;

  private constructor(parts: readonly Part[], root: VariablesSchema) {
    this.#root = root;
    this.kinds = takeApart(parts, root);
  }

  /** The shape of the variables as a whole. */
  static of(schema: VariablesSchema): Shape {
    return new Shape([schema], schema);
  }

  /** Something of which nothing is known. */
  static readonly UNKNOWN = Shape.of({});

  get isKnown(): boolean {
    return this.kinds.length > 0;
  }

  /** The names that members may have. */
  get names(): string[] {
    return [...new Set(this.kinds.flatMap(({ properties }) => Object.keys(properties ?? {})))];
  }

  /** Every named member, as null. */
  get blank(): Readonly<Record<string, null>> {
    this.#blank ??= Object.fromEntries(this.names.map((name) => [name, null]));
    return this.#blank;
  }

  /** One member; undefined where no kind of value here has it. */
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

  /** The items of a list; with an index, the one there. */
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

function takeApart(parts: readonly Part[], root: VariablesSchema): VariablesSchema[] {
  const kinds = new Set<VariablesSchema>();
  const seen = new Set<VariablesSchema>();
  const visit = (part: Part): void => {
    if (typeof part !== "object" || seen.has(part)) return;
    seen.add(part);
    if (part.type !== undefined || part.properties || part.enum || part.const !== undefined) kinds.add(part);
    if (part.$ref !== undefined) visit(referred(part.$ref, root));
    for (const branch of [part.anyOf, part.oneOf, part.allOf]) branch?.forEach(visit);
  };
  parts.forEach(visit);
  return [...kinds];
}

function referred(reference: string, root: VariablesSchema): VariablesSchema | undefined {
  if (reference === "#") return root;
  const name = /^#\/\$defs\/(.+)$/.exec(reference)?.[1];
  return name === undefined ? undefined : root.$defs?.[name.replaceAll("~1", "/").replaceAll("~0", "~")];
}
