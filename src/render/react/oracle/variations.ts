import type { Severity } from "../../../diagnostic.js";
import type { Place } from "../../../mustache/expression/localised.js";
import { sampleValue } from "../../../mustache/sample.js";
import type { Shape } from "../../../mustache/shape.js";
import type { Variables, VariablesContract, VariablesSchema } from "../../../mustache/variables.js";
import { isRecord } from "../../../values.js";
import { Candidates } from "./candidates.js";
import { triedPlaces } from "./tried-places.js";
import {
  hasFormat,
  isFree,
  isOfOneKind,
  isWhole,
  itemContext,
  memberContext,
  rootContext,
  type ValueContext,
} from "./value-context.js";

export interface Variation {
  /** `with every list empty` */
  readonly name: string;
  readonly variables: Variables;
  readonly severity: Severity;
  /** Default: that of the project. */
  readonly place?: Place | undefined;
}

type Change = (value: unknown, context: ValueContext) => unknown;

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
  ["with every string long", (value, { shape }) => (typeof value === "string" && isFree(shape) ? LONG : value)],
  // React omits some attributes that are empty.
  [
    "with every string empty",
    (value, { shape }) => (typeof value === "string" && isFree(shape) ? "" : value),
    "warning",
  ],
  ["with markup in every string", (value, { shape }) => (typeof value === "string" && isFree(shape) ? MARKUP : value)],
];

/**
 * Variables that differ from an example in what components test and compute, within what their schema allows as far as it
 * shows.
 *
 * @param home The project's place. If values are computed, others are tried, too.
 */
export function variationsOf(example: Variables, contract: VariablesContract, home: Place): Variation[] {
  const context = rootContext(contract);
  return differing(example, [
    ...CHANGES.map(([name, change, severity]) => ({ name, severity, variables: vary(example, context, change) })),
    ...combinations(example, contract, home),
    ...mixes(example, context).map((variables, index) => ({
      name: `with some of its values changed (${index + 1})`,
      variables,
    })),
  ]);
}

interface Candidate extends Omit<Variation, "variables" | "severity"> {
  readonly variables: unknown;
  readonly severity?: Severity | undefined;
}

function differing(example: Variables, candidates: readonly Candidate[]): Variation[] {
  const before = JSON.stringify(example);
  return candidates.flatMap(({ name, variables, severity = "error", place }) =>
    isRecord(variables) && (place || JSON.stringify(variables) !== before)
      ? [{ name, severity, variables, place }]
      : [],
  );
}

/** The most rounds if nothing is computed. */
const MOST = 16;

/** The numbers of rounds if values are computed: prime, so that no two values change in step. */
const [FEW, MANY] = [13, 17];

/**
 * Variations in which all values change that make a difference, each to another one that does. What is computed depends on
 * several values and on the place, so each value goes through its candidates with a stride of its own.
 */
function combinations(example: Variables, contract: VariablesContract, home: Place): Candidate[] {
  const candidates = new Candidates(contract);
  const places = candidates.areComputed ? triedPlaces(home) : [];
  const context = rootContext(contract);
  const known = new Map<string, readonly unknown[]>();
  const change = (pick: (values: readonly unknown[], path: string) => unknown, place = places[0]): unknown =>
    vary(example, context, (value, at) => {
      const key = `${at.path} ${place?.timeZone}`;
      const values = known.get(key) ?? candidates.of(value, at, place);
      known.set(key, values);
      if (values.length > 0) return pick(values, at.path);
      return isRecord(value) ? { ...value, ...absentIn(value, at) } : value;
    });
  let longest = 0;
  change((values) => {
    longest = Math.max(longest, values.length);
    return values[0];
  });
  if (!candidates.areComputed) {
    return Array.from({ length: Math.min(MOST, longest) }, (_, round) => ({
      name: `with values around those that it is compared with (${round + 1})`,
      variables: change((values) => values[round % values.length]),
    }));
  }
  const count = longest > FEW ? MANY : FEW;
  const indexes = new Map<string, number>();
  const combined = Array.from({ length: count }, (_, round): Candidate => {
    const place = places[Math.floor((round * places.length) / count)];
    const variables = change((values, path) => {
      const index = indexes.get(path) ?? indexes.size;
      indexes.set(path, index);
      const stride = 1 + (index % (count - 1));
      return values[(((round + index) * stride) % count) % values.length];
    }, place);
    return {
      name: `with other values to compute with (${round + 1})`,
      variables,
      place: place === places[0] ? undefined : place,
    };
  });
  const unchanged = places
    .slice(1)
    .map((place) => ({ name: `unchanged in ${place.locale}`, variables: example, place }));
  return [...unchanged, ...combined];
}

/** The names of an object's absent members. */
function absentIn(value: Variables, { shape }: ValueContext): Variables {
  const absent = shape.names.filter((name) => value[name] === undefined);
  return Object.fromEntries(absent.map((name) => [name, undefined]));
}

/**
 * The same with one more item in every list that isn't empty, if a list has a single item: this shows what a component's code
 * carries over from one item to the next.
 */
export function withLongerLists(example: Variables, contract: VariablesContract): Variation[] {
  if (!hasSingle(example)) return [];
  const variables = vary(example, rootContext(contract), longer);
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
function mixes(example: Variables, place: ValueContext): unknown[] {
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

function changedValue(value: unknown, { shape, optional }: ValueContext): unknown {
  if (optional) return undefined;
  if (typeof value === "boolean") return !value;
  if (typeof value === "number") return isFree(shape) ? 0 : value;
  if (Array.isArray(value) && value.length > 0) return longer(value);
  return shape.kinds.some(({ type }) => type === "null") ? null : value;
}

function vary(value: unknown, context: ValueContext, change: Change): unknown {
  const changed = change(value, context);
  if (Array.isArray(changed)) {
    return changed.map((item, index) => vary(item, itemContext(context, index), change));
  }
  if (!isRecord(changed)) return changed;
  const members = Object.entries(changed).map(([name, member]): [string, unknown] => [
    name,
    vary(member, memberContext(context, name), change),
  ]);
  const varied = withMembers({}, members);
  if (isOfOneKind(varied, context.shape)) return varied;
  return members.reduce((before, member) => {
    const after = withMembers(before, [member]);
    return isOfOneKind(after, context.shape) ? after : before;
  }, changed);
}

/** An object with members set, or removed if they are undefined. */
function withMembers(object: Variables, members: readonly (readonly [string, unknown])[]): Variables {
  const all = Object.entries({ ...object, ...Object.fromEntries(members) });
  return Object.fromEntries(all.filter(([, member]) => member !== undefined));
}

/** A made-up value of the first or second other type that is allowed. */
function ofAnotherType(value: unknown, { shape, path }: ValueContext, index: number): unknown {
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

function withNumber(value: unknown, shape: Shape, number: number): unknown {
  if (typeof value === "number" && isFree(shape)) return number;
  return typeof value === "string" && hasFormat(shape, "bigint") ? String(Math.trunc(number)) : value;
}
