import { toPath } from "./lookup.js";
import { Shape } from "./shape.js";
import type { Condition, VariablesContract, VariablesSchema } from "./variables.js";

/** What a name resolves to. */
export interface Found {
  readonly shape: Shape;
  /** `order.lines[].price`: the same for every tag that refers to it. */
  readonly path: string;
  /** Whether the value may be absent according to the schema. */
  readonly mayBeAbsent: boolean;
}

interface Level {
  readonly shape: Shape;
  readonly path: string;
  /** The name that refers to the item itself. */
  readonly itself?: string;
}

/**
 * Resolves names in the scope of a tag, with their paths. Where the schema leaves types open, anything may exist.
 *
 * @example
 * Scope.of(contract).within("lines").find("price")?.path; // "lines[].price"
 */
export class Scope {
  /** The outermost first. */
  readonly #levels: readonly [Level, ...Level[]];
  readonly #derived: VariablesSchema | undefined;
  readonly #added: ReadonlyMap<string, Condition>;

  private constructor(
    levels: readonly [Level, ...Level[]],
    { derived, added }: { derived: VariablesSchema | undefined; added: ReadonlyMap<string, Condition> },
  ) {
    this.#levels = levels;
    this.#derived = derived;
    this.#added = added;
  }

  static of(contract: VariablesContract): Scope {
    const added = new Map(contract.conditions.map((condition) => [condition.name, condition]));
    return new Scope([{ shape: shapeOf(contract), path: "" }], { derived: contract.derived, added });
  }

  /** Undefined if the name is not a variable: it doesn't exist, or is a boolean that a condition adds. */
  find(name: string): Found | undefined {
    const innermost = this.#levels.at(-1) ?? this.#levels[0];
    if (name === ".") return { shape: innermost.shape, path: innermost.path, mayBeAbsent: false };
    const { first, rest } = toPath(name);
    const own = this.#levels.findLast(({ itself }) => itself === first);
    if (own) return { shape: own.shape, path: own.path, mayBeAbsent: false };
    const added = this.#added.get(first);
    if (added) return this.#foundAdded(added);
    const depth = this.#levels.findLastIndex(({ shape }) => hasMember(shape, first));
    return depth < 0 ? undefined : this.#follow(depth, [first, ...rest]);
  }

  /** The scope inside a section. */
  within(name: string): Scope {
    const added = this.#added.get(name);
    const variable = this.find(name);
    if (!variable) return this;
    const { shape, path } = variable;
    const isList = shape.kinds.some(({ type }) => type === "array");
    const isOther = !shape.isKnown || shape.kinds.some(({ type }) => type !== "array");
    const entered: Level[] = isOther ? [{ shape, path }] : [];
    if (isList) {
      const itself = added?.test.kind === "items" ? { itself: added.test.as } : {};
      entered.push({ shape: shape.items(), path: `${path}[]`, ...itself });
    }
    return new Scope([...this.#levels, ...entered], { derived: this.#derived, added: this.#added });
  }

  /** The variable that a condition is about, or the part of it that the condition selects. */
  #foundAdded({ path, test, within }: Condition): Found | undefined {
    if (test.kind !== "value" && test.kind !== "items" && test.kind !== "item") return undefined;
    const outermost = new Scope([this.#levels[0]], { derived: this.#derived, added: this.#added });
    const variable = within.reduce((scope, section) => scope.within(section), outermost).find(path);
    if (!variable || test.kind !== "item") return variable;
    return { ...variable, shape: variable.shape.items(), path: `${variable.path}[]`, mayBeAbsent: true };
  }

  #follow(depth: number, parts: readonly string[]): Found | undefined {
    let { shape, path } = this.#levels[depth] ?? this.#levels[0];
    let mayBeAbsent = false;
    for (const [index, part] of parts.entries()) {
      const member = shape.member(part) ?? (shape.isKnown ? undefined : Shape.UNKNOWN);
      if (!member) return undefined;
      const derived = depth === 0 && index === 0 ? this.#derived : undefined;
      mayBeAbsent ||= mayLack(shape, part, derived) || isNullable(member);
      path = path === "" ? part : `${path}.${part}`;
      shape = member;
    }
    return { shape, path, mayBeAbsent };
  }
}

const shapes = new WeakMap<VariablesContract, Shape>();

/** The shape of the variables as tags see them. Cached, because it caches its members. */
export function shapeOf(contract: VariablesContract): Shape {
  const shape = shapes.get(contract) ?? Shape.ofFilled(contract);
  shapes.set(contract, shape);
  return shape;
}

function hasMember(shape: Shape, name: string): boolean {
  return !shape.isKnown || shape.member(name) !== undefined;
}

export function mayLack(shape: Shape, name: string, derived: VariablesSchema | undefined): boolean {
  if (derived?.properties && Object.hasOwn(derived.properties, name)) return !derived.required?.includes(name);
  // Inside a section over it, null can't occur: null has no members.
  const objects = shape.kinds.filter(({ type }) => type !== "null");
  if (!shape.isKnown || objects.every(({ required }) => required?.includes(name))) return false;
  return !shape.kinds.some(({ properties }) => properties?.[name]?.default !== undefined);
}

export function isNullable({ kinds }: Shape): boolean {
  return kinds.some((kind) => kind.type === "null" || kind.const === null || kind.enum?.includes(null));
}
