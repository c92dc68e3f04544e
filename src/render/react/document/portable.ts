import type { Expression as PortableExpression } from "../../../mustache/expression/expression.js";
import { mapExpression } from "../../../mustache/expression/expression-of.js";
import type { Expression, Leaf, ListLoop, PackageExpression } from "../runtime/expression.js";
import { memberExpression, step } from "../runtime/expressions.js";
import { packageUses } from "../runtime/package-uses.js";

/** A section's place among those around, counted from 1, and the member that holds its items if they are wrapped in objects. */
interface LoopPlace {
  readonly number: number;
  readonly as: string | undefined;
}

/**
 * A recorded expression as data for the contract: variables name the section in which they begin.
 *
 * @param placeOf The place of a loop's section; undefined if the expression is outside of it.
 * @returns Undefined if it uses an item outside of its list.
 */
export function portable(
  expression: Expression,
  placeOf: (loop: ListLoop) => LoopPlace | undefined,
): PortableExpression | undefined {
  try {
    return new Translator(placeOf).translate(expression);
  } catch (error) {
    if (error instanceof OutsideOfList) return undefined;
    throw error;
  }
}

class OutsideOfList extends Error {}

/** What an expression refers to by the number of a loop, within the function that is called for each item. */
type Callbacks = ReadonlyMap<number, { readonly item: string; readonly index: string }>;

class Translator {
  readonly #placeOf: (loop: ListLoop) => LoopPlace | undefined;
  /** Whether it translates what is done for its effect on a package. */
  readonly #isSetup: boolean;

  constructor(placeOf: (loop: ListLoop) => LoopPlace | undefined, isSetup = false) {
    this.#placeOf = placeOf;
    this.#isSetup = isSetup;
  }

  translate(expression: Expression, callbacks: Callbacks = new Map()): PortableExpression {
    const one = (of: Expression): PortableExpression => this.translate(of, callbacks);
    if (expression.kind === "member") return memberOf(one(expression.of), expression.name);
    return mapExpression(expression, one, (leaf) => this.#leaf(leaf, callbacks));
  }

  #leaf(leaf: Leaf, callbacks: Callbacks): PortableExpression {
    switch (leaf.kind) {
      case "variable":
        return this.#variable(leaf, callbacks);
      case "position": {
        const callback = callbacks.get(leaf.loop.id);
        if (callback) return { kind: "parameter", name: callback.index };
        return { kind: "index", scope: this.#place(leaf.loop).number };
      }
      case "map": {
        const number = callbacks.size + 1;
        const names = { item: `item_${number}`, index: `index_${number}` };
        const body = this.translate(leaf.body, new Map([...callbacks, [leaf.loop, names]]));
        return {
          kind: "call",
          callee: { kind: "member", of: this.translate(leaf.list, callbacks), name: leaf.method },
          args: [{ kind: "function", parameters: [names.item, names.index], body }],
        };
      }
      case "value":
        return literal(leaf.value);
      case "package":
      default:
        return this.#package(leaf);
    }
  }

  #package(expression: PackageExpression): PortableExpression {
    const { kind, module, name, isComponent } = expression;
    const setup = this.#isSetup ? [] : packageUses().setupOf(expression);
    const inner = new Translator(this.#placeOf, true);
    return {
      kind,
      module,
      name,
      ...(isComponent && { isComponent }),
      ...(setup.length > 0 && { setup: setup.map((each) => inner.translate(each)) }),
    };
  }

  #variable(variable: Extract<Expression, { kind: "variable" }>, callbacks: Callbacks): PortableExpression {
    const { names, loop, mayEndAfter = [] } = variable;
    const callback = loop && callbacks.get(loop.id);
    const item = names.findIndex((name) => name.startsWith("["));
    // Of a variable, names read what is missing as undefined.
    const from = callback ? 0 : item;
    if (from >= 0 && from < names.length) {
      const start: Expression = callback
        ? { kind: "parameter", name: callback.item }
        : { ...variable, names: names.slice(0, from) };
      const whole = names.slice(from).reduce<Expression>((of, name, index) => {
        const depth = from + index;
        const isOfItem = item >= 0 && depth >= item;
        return memberExpression(of, step(name), isOfItem || mayEndAfter.includes(depth));
      }, start);
      return this.translate(whole, callbacks);
    }
    if (callback) return { kind: "parameter", name: callback.item };
    const place = loop && this.#place(loop);
    const own = [...(place?.as === undefined ? [] : [place.as]), ...names];
    return { kind: "variable", ...(place && { scope: place.number }), names: own };
  }

  #place(loop: ListLoop): LoopPlace {
    const place = this.#placeOf(loop);
    if (!place) throw new OutsideOfList();
    return place;
  }
}

function memberOf(of: PortableExpression, name: string | number): PortableExpression {
  if (typeof name !== "number" || name >= 0) return { kind: "member", of, name };
  return { kind: "call", callee: { kind: "member", of, name: "at" }, args: [{ kind: "value", value: name }] };
}

/** A value of JSON, or what JSON has no literal for. */
function literal(value: unknown): PortableExpression {
  if (value instanceof RegExp) return { kind: "pattern", source: value.source, flags: value.flags };
  if (value === undefined || (typeof value === "number" && !Number.isFinite(value) && !(value < 0)))
    return { kind: "name", name: String(value) };
  if (typeof value === "number" && (value === -Infinity || Object.is(value, -0)))
    return { kind: "unary", operator: "-", of: literal(-value) };
  if (value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    return { kind: "value", value };
  throw new TypeError("A value in an expression is neither JSON nor a regular expression.");
}
