import type { Severity } from "../../../diagnostic.js";
import { sampleValue } from "../../../mustache/sample.js";
import { Shape } from "../../../mustache/shape.js";
import type { Condition, Variables, VariablesContract, VariablesSchema } from "../../../mustache/variables.js";
import { isRecord } from "../../../values.js";

export interface Variation {
  /** `with every list empty` */
  readonly name: string;
  readonly variables: Variables;
  readonly severity: Severity;
}

type Change = (value: unknown, place: Place) => unknown;

/** The context of a value: its shape, and whether it is optional. */
interface Place {
  readonly shape: Shape;
  readonly optional: boolean;
  /** The names and indexes that lead to it. */
  readonly path: string;
}

/** Longer than what any component keeps of a truncated string. */
const LONG = "abcdefghijklmnopqrstuvwxyz".repeat(12);

/** What packages transform: HTML, Markdown, class names. */
const MARKUP = `p-4 **B** <b title="x">Tom & 'Jerry'</b>`;

const CHANGES: readonly (readonly [name: string, change: Change, severity?: Severity])[] = [
  ["with every optional variable absent", (value, { optional }) => (optional ? undefined : value)],
  [
    "with null wherever it is allowed",
    (value, { shape }) => (shape.kinds.some(({ type }) => type === "null") ? null : value),
  ],
  ["with another type wherever there are several", (value, place) => ofAnotherType(value, place, 0)],
  ["with yet another type wherever there are more", (value, place) => ofAnotherType(value, place, 1)],
  ["with every list empty", (value) => (Array.isArray(value) ? [] : value)],
  ["with one item in every list", (value) => (Array.isArray(value) ? value.slice(0, 1) : value)],
  [
    "with three items in every list",
    (value) => (Array.isArray(value) && value.length > 0 ? [value[0], value[1] ?? value[0], value.at(-1)] : value),
  ],
  ["with every boolean flipped", (value) => (typeof value === "boolean" ? !value : value)],
  ["with every boolean true", (value) => typeof value === "boolean" || value],
  ["with every boolean false", (value) => typeof value !== "boolean" && value],
  ["with every number 0", (value, { shape }) => withNumber(value, shape, 0)],
  ["with every number 1", (value, { shape }) => withNumber(value, shape, 1)],
  ["with every number changed", (value, { shape }) => withNumber(value, shape, isWhole(shape) ? 1234 : -1234.56)],
  ["with every date at midnight", (value, { shape }) => (isDate(value, shape) ? "2024-03-01T00:00:00.000Z" : value)],
  [
    "with every date before midnight",
    (value, { shape }) => (isDate(value, shape) ? "2023-12-31T23:59:59.999Z" : value),
  ],
  // In Europe.
  [
    "with every date while clocks change",
    (value, { shape }) => (isDate(value, shape) ? "2025-10-26T00:30:00.000Z" : value),
  ],
  ["with every string long", (value, { shape }) => (typeof value === "string" && isFree(shape) ? LONG : value)],
  // React omits some attributes that are empty.
  [
    "with every string empty",
    (value, { shape }) => (typeof value === "string" && isFree(shape) ? "" : value),
    "warning",
  ],
  ["with markup in every string", (value, { shape }) => (typeof value === "string" && isFree(shape) ? MARKUP : value)],
];

/** Variables that differ from an example in what components test, within what their schema allows as far as it shows. */
export function variationsOf(example: Variables, contract: VariablesContract): Variation[] {
  const place = rootPlace(contract);
  return differing(example, [
    ...CHANGES.map(([name, change, severity]) => ({ name, severity, variables: vary(example, place, change) })),
    ...boundaryVariations(example, contract),
    ...mixes(example, place).map((variables, index) => ({
      name: `with some of its values changed (${index + 1})`,
      variables,
    })),
  ]);
}

type Candidate = Pick<Variation, "name"> & { readonly variables: unknown; readonly severity?: Severity | undefined };

function differing(example: Variables, candidates: readonly Candidate[]): Variation[] {
  const before = JSON.stringify(example);
  return candidates.flatMap(({ name, variables, severity = "error" }) =>
    isRecord(variables) && JSON.stringify(variables) !== before ? [{ name, severity, variables }] : [],
  );
}

/**
 * The same with one more item in every list that isn't empty, if a list has a single item: this shows what a component's code
 * carries over from one item to the next.
 */
export function withLongerLists(example: Variables, contract: VariablesContract): Variation[] {
  if (!hasSingle(example)) return [];
  const variables = vary(example, rootPlace(contract), longer);
  return differing(example, [{ name: "with one item more in every list", variables }]);
}

function hasSingle(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 1 || value.some(hasSingle);
  return isRecord(value) && Object.values(value).some(hasSingle);
}

function longer(value: unknown): unknown {
  return Array.isArray(value) && value.length > 0 ? [...value, value[0]] : value;
}

/** Covers, for any two values, both changed, only the first changed and only the second changed. */
function mixes(example: Variables, place: Place): unknown[] {
  const paths: string[] = [];
  vary(example, place, (value, at) => {
    if (changedValue(value, at) !== value) paths.push(at.path);
    return value;
  });
  let rounds = 0;
  while (codesOf(rounds).length < paths.length) rounds += 1;
  const known = codesOf(rounds);
  const codes = new Map(paths.map((path, index) => [path, known[index] ?? 0]));
  const mix = (isOn: (code: number) => boolean): unknown =>
    vary(example, place, (value, at) => {
      const code = codes.get(at.path);
      return code !== undefined && isOn(code) ? changedValue(value, at) : value;
    });
  return [mix(() => true), ...Array.from({ length: rounds }, (_, round) => mix((code) => ((code >> round) & 1) === 1))];
}

/**
 * A value's code determines the rounds in which it is changed. All codes have the same number of bits set, half of them, so that
 * each has a bit that another lacks; no smaller number of rounds has as many such codes.
 */
function codesOf(rounds: number): number[] {
  const codes = Array.from({ length: 2 ** rounds }, (_, code) => code);
  return codes.filter((code) => code.toString(2).replaceAll("0", "").length === rounds >> 1);
}

function changedValue(value: unknown, { shape, optional }: Place): unknown {
  if (optional) return undefined;
  if (typeof value === "boolean") return !value;
  if (typeof value === "number") return isFree(shape) ? 0 : value;
  if (Array.isArray(value) && value.length > 0) return longer(value);
  return shape.kinds.some(({ type }) => type === "null") ? null : value;
}

function vary(value: unknown, place: Place, change: Change): unknown {
  const changed = change(value, place);
  if (Array.isArray(changed)) {
    return changed.map((item, index) => vary(item, itemPlace(place, index), change));
  }
  if (!isRecord(changed)) return changed;
  const members = Object.entries(changed).map(([name, member]) => [
    name,
    vary(member, memberPlace(place, name), change),
  ]);
  const varied = Object.fromEntries(members.filter(([, member]) => member !== undefined));
  return isOfOneKind(varied, place.shape) ? varied : value;
}

function rootPlace({ input }: VariablesContract): Place {
  return { shape: Shape.of(input), optional: false, path: "" };
}

function itemPlace({ shape, path }: Place, index: number): Place {
  return { shape: shape.items(), optional: false, path: `${path}[${index}]` };
}

function memberPlace({ shape, path }: Place, name: string): Place {
  const known = shape.kinds.filter(({ properties }) => properties?.[name]);
  return {
    shape: shape.member(name) ?? Shape.UNKNOWN,
    // What has a default is present once the schema has parsed the variables.
    optional: known.some(
      ({ required, properties }) => !required?.includes(name) && properties?.[name]?.default === undefined,
    ),
    path: `${path}.${name}`,
  };
}

/** A made-up value of the first or second other type that is allowed. */
function ofAnotherType(value: unknown, { shape, path }: Place, index: number): unknown {
  const isOther = (type: string): boolean => type !== "null" && type !== typeOf(value);
  const other = [...new Set(shape.kinds.map(typeIn))].filter(isOther)[index];
  const kind = shape.kinds.find((each) => typeIn(each) === other);
  // What a reference refers to is not known here.
  return kind && !JSON.stringify(kind).includes("$ref") ? sampleValue(kind, path.split(".").at(-1)) : value;
}

function typeIn({ type, const: value, enum: values }: VariablesSchema): string {
  return type === "integer" ? "number" : (type ?? typeOf(values ? values[0] : value));
}

function typeOf(value: unknown): string {
  if (value === null || value === undefined) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

/** Whether a string or a number may have any value. */
function isFree(shape: Shape): boolean {
  return shape.kinds.every((kind) => kind.enum === undefined && kind.const === undefined && kind.format === undefined);
}

function withNumber(value: unknown, shape: Shape, number: number): unknown {
  if (typeof value === "number" && isFree(shape)) return number;
  return typeof value === "string" && hasFormat(shape, "bigint") ? String(Math.trunc(number)) : value;
}

function isWhole({ kinds }: Shape): boolean {
  return kinds.some(({ type }) => type === "integer");
}

function isDate(value: unknown, shape: Shape): boolean {
  return typeof value === "string" && hasFormat(shape, "date-time");
}

function hasFormat({ kinds }: Shape, format: string): boolean {
  const others = kinds.filter(({ type }) => type !== "null");
  return others.length > 0 && others.every((kind) => kind.format === format);
}

/** A variable that a compiled body decides by, with values on both sides of each boundary. */
interface Boundary {
  /** Names; lists on the path are iterated. */
  readonly names: readonly string[];
  readonly values: readonly Value[];
}

/** A value, or the length of a list or string. */
type Value = { readonly is: string | number } | { readonly length: number };

const MOST = 16;

/** Variations of an example with values on both sides of the literals that the contract's conditions compare with. */
function boundaryVariations(example: Variables, { input, conditions }: VariablesContract): Candidate[] {
  const boundaries = merged(conditions.flatMap(boundariesOf));
  const rounds = Math.min(MOST, Math.max(0, ...boundaries.map(({ values }) => values.length)));
  return Array.from({ length: rounds }, (_, round) => {
    let variables: unknown = example;
    for (const { names, values } of boundaries) {
      const value = values[round % values.length];
      if (value) variables = withValueAt(variables, Shape.of(input), names, value);
    }
    return { name: `with values around those that it is compared with (${round + 1})`, variables };
  });
}

function boundariesOf({ within, path, test }: Condition): Boundary[] {
  const names = [...within, path].flatMap(namesOf);
  if (test.kind === "among-first" || test.kind === "among-last") {
    return [{ names: within.flatMap(namesOf), values: [test.count, test.count + 1].map((length) => ({ length })) }];
  }
  return boundariesOfQuestion(names, test);
}

function boundariesOfQuestion(names: readonly string[], test: Condition["test"]): Boundary[] {
  if (test.kind === "some" || test.kind === "every") {
    return boundariesOfQuestion([...names, ...namesOf(test.path)], test.test);
  }
  if (test.kind === "has-at-least") {
    return [{ names, values: [test.count, test.count - 1].map((length) => ({ length })) }];
  }
  if (test.kind === "has-exactly") {
    return [{ names, values: [test.count, test.count - 1, test.count + 1].map((length) => ({ length })) }];
  }
  if (test.kind === "compares") {
    return [{ names, values: [test.value, test.value + 1, test.value - 1].map((is) => ({ is })) }];
  }
  if (test.kind !== "equals") return [];
  const { value } = test;
  if (typeof value === "string") return [{ names, values: [{ is: value }, { is: `${value}x` }] }];
  return typeof value === "number" ? [{ names, values: [{ is: value }, { is: value + 1 }] }] : [];
}

/** `.` is the item itself. */
function namesOf(name: string): string[] {
  return name === "." ? [] : name.split(".");
}

/** Merges boundaries of the same variable, without duplicate values. */
function merged(boundaries: readonly Boundary[]): Boundary[] {
  const byPlace = new Map<string, Boundary>();
  for (const { names, values } of boundaries) {
    const key = names.join(".");
    const known = byPlace.get(key)?.values ?? [];
    const unique = new Map([...known, ...values].map((value) => [JSON.stringify(value), value]));
    byPlace.set(key, { names, values: [...unique.values()] });
  }
  return [...byPlace.values()];
}

function withValueAt(target: unknown, shape: Shape, names: readonly string[], value: Value): unknown {
  const [name, ...rest] = names;
  if (name === undefined && "length" in value) return resized(target, value.length);
  if (Array.isArray(target)) return target.map((item) => withValueAt(item, shape.items(), names, value));
  if (name === undefined) return "is" in value && mayBe(shape, value.is) ? value.is : target;
  const member = shape.member(name);
  if (!isRecord(target) || !member) return target;
  const changed = withValueAt(target[name], member, rest, value);
  const withValue = { ...target, [name]: changed };
  return changed === undefined || !isOfOneKind(withValue, shape) ? target : withValue;
}

function resized(target: unknown, length: number): unknown {
  if (length < 0) return target;
  if (typeof target === "string") return target.padEnd(length, "x").slice(0, length);
  if (!Array.isArray(target) || target.length === 0) return target;
  return Array.from({ length }, (_, index): unknown => target[index] ?? target[0]);
}

/** Whether a schema allows a value, as far as known. */
function mayBe({ kinds }: Shape, value: string | number): boolean {
  const types = typeof value === "string" ? ["string"] : ["number", ...(Number.isInteger(value) ? ["integer"] : [])];
  return kinds.some((kind) => {
    if (kind.enum) return kind.enum.includes(value);
    if (kind.const !== undefined) return kind.const === value;
    return kind.type !== undefined && types.includes(kind.type) && kind.format === undefined;
  });
}

/**
 * Whether an object matches one of the kinds in a union: changing only its `type` would turn a cancellation into an upgrade
 * that lacks the members of an upgrade.
 */
export function isOfOneKind(value: Variables, { kinds }: Shape): boolean {
  const objects = kinds.filter(({ properties }) => properties);
  return objects.length < 2 || objects.some((kind) => matches(kind, value));
}

function matches({ properties = {}, required = [] }: VariablesSchema, value: Variables): boolean {
  if (!required.every((name) => value[name] !== undefined)) return false;
  return Object.entries(properties).every(([name, member]) => {
    const actual = value[name];
    if (actual === undefined) return true;
    if (member.const !== undefined) return member.const === actual;
    return !member.enum || member.enum.some((each) => each === actual);
  });
}
