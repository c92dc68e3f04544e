import type { Severity } from "../../diagnostic.js";
import { Shape } from "../../mustache/shape.js";
import type { Variables, VariablesContract } from "../../mustache/variables.js";
import { isRecord } from "./leaves.js";
import { boundaryVariations } from "./boundaries.js";
import { isOfOneKind } from "./unions.js";

export interface Variation {
  /** `with every list empty` */
  readonly name: string;
  readonly variables: Variables;
  readonly severity: Severity;
}

type Change = (value: unknown, place: Place) => unknown;

/** Where a value stands: what it may be, and whether it may be absent. */
interface Place {
  readonly shape: Shape;
  readonly optional: boolean;
  /** The names and indices that lead to it. */
  readonly path: string;
}

/** Longer than what any component keeps of a text that it cuts. */
const LONG = "abcdefghijklmnopqrstuvwxyz".repeat(12);

/** What packages make something of: HTML, Markdown, class names. */
const MARKUP = `p-4 **B** <b title="x">Tom & 'Jerry'</b>`;

const CHANGES: readonly (readonly [name: string, change: Change, severity?: Severity])[] = [
  ["with every optional variable absent", (value, { optional }) => (optional ? undefined : value)],
  [
    "with null wherever it may be",
    (value, { shape }) => (shape.kinds.some(({ type }) => type === "null") ? null : value),
  ],
  ["with every list empty", (value) => (Array.isArray(value) ? [] : value)],
  ["with every list one long", (value) => (Array.isArray(value) ? value.slice(0, 1) : value)],
  [
    "with every list three long",
    (value) => (Array.isArray(value) && value.length > 0 ? [value[0], value[1] ?? value[0], value.at(-1)] : value),
  ],
  ["with every boolean the other way", (value) => (typeof value === "boolean" ? !value : value)],
  ["with every boolean true", (value) => typeof value === "boolean" || value],
  ["with every boolean false", (value) => typeof value !== "boolean" && value],
  ["with every number 0", (value, { shape }) => (typeof value === "number" && isFree(shape) ? 0 : value)],
  ["with every number 1", (value, { shape }) => (typeof value === "number" && isFree(shape) ? 1 : value)],
  [
    "with every number another one",
    (value, { shape }) => (typeof value === "number" && isFree(shape) ? (isWhole(shape) ? 1234 : -1234.56) : value),
  ],
  ["with every text long", (value, { shape }) => (typeof value === "string" && isFree(shape) ? LONG : value)],
  // React leaves out some attributes that are empty.
  ["with every text empty", (value, { shape }) => (typeof value === "string" && isFree(shape) ? "" : value), "warning"],
  ["with markup in every text", (value, { shape }) => (typeof value === "string" && isFree(shape) ? MARKUP : value)],
];

/** Variables that differ from an example in what components decide by, and that their schema allows as far as it shows. */
export function variationsOf(example: Variables, contract: VariablesContract): Variation[] {
  const place = rootPlace(contract);
  const changed = CHANGES.map(([name, change, severity = "error"]) => ({
    name,
    severity,
    variables: vary(example, place, change),
  }));
  const mixed = mixes(example, place).map((variables, index) => ({
    name: `with some of its values otherwise (${index + 1})`,
    severity: "error" as const,
    variables,
  }));
  const before = JSON.stringify(example);
  return [...changed, ...boundaryVariations(example, contract), ...mixed].filter(
    (variation): variation is Variation =>
      isRecord(variation.variables) && JSON.stringify(variation.variables) !== before,
  );
}

/**
 * The same with one item more in every list that has any, where one has no more than one: what a component's code leaves
 * of one item for the next shows.
 */
export function withLongerLists(example: Variables, contract: VariablesContract): Variation[] {
  if (!hasSingle(example)) return [];
  const variables = vary(example, rootPlace(contract), longer);
  if (!isRecord(variables) || JSON.stringify(variables) === JSON.stringify(example)) return [];
  return [{ name: "with one item more in every list", severity: "error", variables }];
}

function hasSingle(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 1 || value.some(hasSingle);
  return isRecord(value) && Object.values(value).some(hasSingle);
}

function longer(value: unknown): unknown {
  return Array.isArray(value) && value.length > 0 ? [...value, value[0]] : value;
}

/** For any two values: with both of them otherwise, with the one alone and with the other alone. */
function mixes(example: Variables, place: Place): unknown[] {
  const paths: string[] = [];
  vary(example, place, (value, at) => {
    if (otherwise(value, at) !== value) paths.push(at.path);
    return value;
  });
  let rounds = 0;
  while (codesOf(rounds).length < paths.length) rounds += 1;
  const known = codesOf(rounds);
  const codes = new Map(paths.map((path, index) => [path, known[index] ?? 0]));
  const mix = (isOn: (code: number) => boolean): unknown =>
    vary(example, place, (value, at) => {
      const code = codes.get(at.path);
      return code !== undefined && isOn(code) ? otherwise(value, at) : value;
    });
  return [mix(() => true), ...Array.from({ length: rounds }, (_, round) => mix((code) => ((code >> round) & 1) === 1))];
}

/**
 * A value's code tells in which rounds it is otherwise. All have the same number of bits set, half of them, so that each
 * has one that another has not; and no fewer rounds have as many such codes.
 */
function codesOf(rounds: number): number[] {
  const codes = Array.from({ length: 2 ** rounds }, (_, code) => code);
  return codes.filter((code) => code.toString(2).replaceAll("0", "").length === rounds >> 1);
}

function otherwise(value: unknown, { shape, optional }: Place): unknown {
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
    // What has a default is there once the schema has checked the variables.
    optional: known.some(
      ({ required, properties }) => !required?.includes(name) && properties?.[name]?.default === undefined,
    ),
    path: `${path}.${name}`,
  };
}

/** Whether a text or a number may be any. */
function isFree(shape: Shape): boolean {
  return shape.kinds.every((kind) => kind.enum === undefined && kind.const === undefined && kind.format === undefined);
}

function isWhole({ kinds }: Shape): boolean {
  return kinds.some(({ type }) => type === "integer");
}
