import type { Expression, VariableExpression } from "../../../mustache/expression/expression.js";
import { operandsOf } from "../../../mustache/expression/expression-of.js";
import { sampleValue } from "../../../mustache/sample.js";
import type { Shape } from "../../../mustache/shape.js";
import type { Condition, VariablesContract } from "../../../mustache/variables.js";
import type { TriedPlace } from "./tried-places.js";
import { hasFormat, isFree, isWhole, mayBe, type ValueContext } from "./value-context.js";

/** A value, or the length of a list or string. */
type Wanted = { readonly is: string | number } | { readonly length: number };

/**
 * Knows the values of variables for which a contract's computed values and conditions may differ. Variables are
 * distinguished by their last names alone: with a value that matters to another variable of the same name, nothing is lost.
 */
export class Candidates {
  /** The names of variables that values are computed from; empty for the variables as a whole. */
  readonly #sources = new Set<string>();
  readonly #wanted = new Map<string, Wanted[]>();
  readonly #expressions = new Map<string, Expression>();
  /** Variables with literals, because values are computed from others that may be computed from the same ones. */
  readonly #compared = new Set<string>();

  constructor({ conditions }: Pick<VariablesContract, "conditions">) {
    for (const { name, test } of conditions) {
      if (test.kind === "computed") this.#expressions.set(name, test.expression);
    }
    for (const { within, path, test } of conditions) {
      if (test.kind === "computed") this.#readExpression(test.expression, within);
      else this.#readTest(nameIn(path, within), test, within);
    }
  }

  /** Whether the contract has computed values. */
  get areComputed(): boolean {
    return this.#expressions.size > 0;
  }

  /**
   * @param place Where values are computed, if there are some.
   * @returns The values to try; empty if a value makes no difference.
   */
  of(value: unknown, context: ValueContext, place?: TriedPlace): readonly unknown[] {
    const names = context.path.replaceAll(/\[\d+\]/g, "").split(".");
    const wanted = (this.#wanted.get(names.at(-1) ?? "") ?? []).flatMap((each) => wantedOf(value, each, context));
    const isSource = place && names.some((name) => this.#sources.has(name));
    if (!isSource) return distinct(wanted);
    const similar = similarTo(value ?? sampleOf(context), context.shape, place);
    if (similar.length === 0) return distinct(wanted);
    return distinct([...similar.slice(0, 1), ...wanted, ...similar, ...(context.optional ? [undefined] : [])]);
  }

  #readExpression(expression: Expression, within: readonly string[]): void {
    const read = (part: Expression): void => {
      if (part.kind === "variable") this.#sources.add(nameOf(part, within));
      this.#readUse(part, within);
      operandsOf(part).forEach(read);
    };
    read(expression);
  }

  /** Finds the literals that variables are compared with, searched for or cut at. */
  #readUse(part: Expression, within: readonly string[]): void {
    if (part.kind === "binary" && COMPARISONS.has(part.operator)) {
      this.#compare(part.left, literalOf(part.right), within);
      this.#compare(part.right, literalOf(part.left), within);
    } else if (part.kind === "item" && part.of.kind === "object") {
      for (const member of part.of.members) if (!("kind" in member)) this.#compare(part.key, member[0], within);
    } else if (part.kind === "call" && part.callee.kind === "member" && part.callee.of.kind === "variable") {
      const name = nameOf(part.callee.of, within);
      for (const literal of part.args.map(literalOf)) {
        if (typeof literal === "string" && literal !== "") this.#want(name, [{ is: `${literal}x${literal}` }]);
        if (typeof literal === "number" && literal > 0) this.#want(name, lengthsAround(literal));
      }
    }
  }

  #readTest(name: string, test: Condition["test"], within: readonly string[]): void {
    if (test.kind === "some" || test.kind === "every") {
      this.#readTest(nameIn(test.path, [name]), test.test, within);
    } else if (test.kind === "among-first" || test.kind === "among-last") {
      this.#want(nameIn(".", within), lengths(test.count, test.count + 1));
    } else if (test.kind === "has-at-least") {
      this.#want(name, lengths(test.count, test.count - 1));
    } else if (test.kind === "has-exactly") {
      this.#want(name, lengthsAround(test.count));
    } else if (test.kind === "compares" || test.kind === "equals") {
      this.#compareVariable(name, test.value, within);
    }
  }

  #compareVariable(name: string, literal: unknown, within: readonly string[]): void {
    const key = JSON.stringify([name, literal]);
    if (this.#compared.has(key) || this.#compared.size > MOST_COMPARED) return;
    this.#compared.add(key);
    const expression = this.#expressions.get(name);
    if (expression) this.#compare(expression, literal, within);
    else if (typeof literal === "string") this.#want(name, [{ is: literal }, { is: `${literal}x` }]);
    else if (typeof literal === "number") this.#want(name, numbersAround(literal));
  }

  /** Wants the values for which an expression equals a literal, as far as its form tells. */
  #compare(expression: Expression, literal: unknown, within: readonly string[]): void {
    if (literal === undefined) return;
    if (expression.kind === "variable") return this.#compareVariable(nameOf(expression, within), literal, within);
    if (expression.kind === "member" && expression.name !== "length" && typeof expression.name === "string")
      return this.#compareVariable(expression.name, literal, within);
    if (expression.kind === "member" && expression.of.kind === "variable" && typeof literal === "number")
      return this.#want(nameOf(expression.of, within), lengthsAround(literal));
    if (expression.kind === "binary" && typeof literal === "number") {
      const { operator, left, right } = expression;
      const [first, second] = [literalOf(left), literalOf(right)];
      this.#compare(left, typeof second === "number" ? leftFor(operator, literal, second) : literal, within);
      this.#compare(right, typeof first === "number" ? rightFor(operator, literal, first) : literal, within);
      return;
    }
    for (const operand of operandsOf(expression)) this.#compare(operand, literal, within);
  }

  #want(name: string, wanted: readonly Wanted[]): void {
    this.#wanted.set(name, [...(this.#wanted.get(name) ?? []), ...wanted]);
  }
}

const MOST_COMPARED = 1000;

const COMPARISONS: ReadonlySet<string> = new Set(["<", "<=", ">", ">=", "==", "===", "!=", "!=="]);

function literalOf(expression: Expression): unknown {
  return expression.kind === "value" ? expression.value : undefined;
}

/** What to add, subtract and so on to get a result: `left / right = result`. */
function leftFor(operator: string, result: number, right: number): number {
  if (operator === "+") return result - right;
  if (operator === "-") return result + right;
  if (operator === "*") return result / right;
  return operator === "/" ? result * right : result;
}

function rightFor(operator: string, result: number, left: number): number {
  if (operator === "-") return left - result;
  return operator === "/" ? left / result : leftFor(operator, result, left);
}

/** More items take long to render. */
const MOST_ITEMS = 100;

function lengths(...counts: readonly number[]): Wanted[] {
  return counts.filter((each) => each >= 0 && each <= MOST_ITEMS).map((length) => ({ length }));
}

function lengthsAround(count: number): Wanted[] {
  return lengths(count, count - 1, count + 1);
}

function numbersAround(number: number): Wanted[] {
  return [number, number + 1, number - 1].map((is) => ({ is }));
}

/** The last name of a variable in its scope: an item of a list has that of the list. */
function nameOf({ names, scope = 0 }: VariableExpression, within: readonly string[]): string {
  return names.findLast((name) => !/^\d+$/.test(name)) ?? nameIn(".", within.slice(0, scope));
}

function nameIn(path: string, within: readonly string[]): string {
  const names = [...within, path].filter((each) => each !== ".").flatMap((each) => each.split("."));
  return names.at(-1) ?? "";
}

function wantedOf(value: unknown, wanted: Wanted, { shape }: ValueContext): unknown[] {
  if ("is" in wanted) return mayBe(shape, wanted.is) ? [wanted.is] : [];
  const isResizable = Array.isArray(value) || (typeof value === "string" && isFree(shape));
  return isResizable ? [resized(value, wanted.length)] : [];
}

function resized(value: string | readonly unknown[], length: number): unknown {
  if (typeof value === "string") return value.padEnd(length, "x").slice(0, length);
  if (value.length === 0) return value;
  return Array.from({ length }, (_, index): unknown => value[index] ?? value[0]);
}

/** An example of an absent value. */
function sampleOf({ shape: { kinds }, path }: ValueContext): unknown {
  const kind = kinds.find(({ type }) => type !== "null");
  // What a reference refers to is not known here.
  return kind && !JSON.stringify(kind).includes("$ref") ? sampleValue(kind, path.split(".").at(-1)) : undefined;
}

const NUMBERS = [0, 1, 2, 0.5, -1, 1.005, -1234.56, 1_234_567.891, 1e21];
const WHOLE_NUMBERS = [0, 1, 2, -1, -1234, 98_765_432];
const LENGTHS = [3, 0, 1, 5, 2];

const DATE = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?(Z|[+-]\d\d:?\d\d)?$/;
const NUMERIC = /^-?\d+(?:\.\d+)?$/;

/** Codes that `Intl` knows: it throws for others. */
const CODES: readonly (readonly [look: RegExp, codes: readonly string[]])[] = [
  [/^[A-Z]{3}$/, ["EUR", "JPY", "KWD"]],
  [/^[a-z]{2}-[A-Z]{2}$/, ["en-US", "de-DE", "ar-EG", "ja-JP"]],
  [/^[A-Z][a-z]+\/[A-Z]/, ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu"]],
];

/** Values of the same kind, by the schema and by the look of a value. */
function similarTo(value: unknown, shape: Shape, { times }: TriedPlace): readonly unknown[] {
  const constants = shape.kinds.flatMap(({ enum: values, const: only }) => values ?? only ?? []);
  if (constants.length > 0) return constants;
  if (typeof value === "boolean") return [true, false];
  if (typeof value === "number" && isFree(shape)) {
    const unit = unitOf(value);
    if (unit !== undefined) return times.map(({ utc }) => Math.floor(Date.parse(utc) / unit));
    return [value, ...(isWhole(shape) ? WHOLE_NUMBERS : NUMBERS)];
  }
  if (Array.isArray(value)) return [value, ...LENGTHS.map((length) => resized(value, length))];
  if (typeof value !== "string") return [];
  if (hasFormat(shape, "bigint")) return [value, ...WHOLE_NUMBERS.map(String)];
  const date = DATE.exec(value);
  if (date) return times.map(({ local, utc }) => (date[1] === undefined ? local.slice(0, value.length) : utc));
  if (!isFree(shape)) return [];
  if (NUMERIC.test(value)) return [value, ...NUMBERS.map(String)];
  const codes = CODES.find(([look]) => look.test(value));
  if (codes) return [value, ...codes[1]];
  return [value, "", `  ${value} `, value.toUpperCase(), value.toLowerCase(), `${value} ${value}`];
}

/** Milliseconds in the unit of a number that looks like a time since 1970. */
function unitOf(value: number): number | undefined {
  if (!Number.isInteger(value)) return undefined;
  if (value > 1e12 && value < 1e13) return 1;
  return value > 1e9 && value < 1e10 ? 1000 : undefined;
}

function distinct(values: readonly unknown[]): unknown[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}
