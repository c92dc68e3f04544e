import type { Severity } from "../../diagnostic.js";
import { Shape } from "../../mustache/shape.js";
import type { Variables, VariablesSchema } from "../../mustache/variables.js";

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
}

const CHANGES: readonly (readonly [name: string, change: Change, severity?: Severity])[] = [
  ["with every optional variable absent", (value, { optional }) => (optional ? undefined : value)],
  [
    "with null wherever it may be",
    (value, { shape }) => (shape.kinds.some(({ type }) => type === "null") ? null : value),
  ],
  ["with every list empty", (value) => (Array.isArray(value) ? [] : value)],
  [
    "with every list three long",
    (value) => (Array.isArray(value) && value.length > 0 ? [value[0], value[0], value.at(-1)] : value),
  ],
  ["with every boolean the other way", (value) => (typeof value === "boolean" ? !value : value)],
  ["with every number 0", (value) => (typeof value === "number" ? 0 : value)],
  // Packages that read a text's own syntax, as Markdown's, see an empty one otherwise; hardly any is ever empty.
  ["with every text empty", (value, { shape }) => (typeof value === "string" && isFree(shape) ? "" : value), "warning"],
];

/** Variables that differ from an example in what components decide by, and that their schema allows as far as it shows. */
export function variationsOf(example: Variables, schema: VariablesSchema): Variation[] {
  const place = { shape: Shape.of(schema), optional: false };
  return CHANGES.flatMap(([name, change, severity = "error"]) => {
    const variables = vary(example, place, change);
    return isRecord(variables) && JSON.stringify(variables) !== JSON.stringify(example)
      ? [{ name, variables, severity }]
      : [];
  });
}

function vary(value: unknown, place: Place, change: Change): unknown {
  const changed = change(value, place);
  if (Array.isArray(changed)) {
    return changed.map((item) => vary(item, { shape: place.shape.items(), optional: false }, change));
  }
  if (!isRecord(changed)) return changed;
  const members = Object.entries(changed).map(([name, member]) => [
    name,
    vary(member, memberPlace(place.shape, name), change),
  ]);
  return Object.fromEntries(members.filter(([, member]) => member !== undefined));
}

function memberPlace(shape: Shape, name: string): Place {
  const known = shape.kinds.filter(({ properties }) => properties?.[name]);
  return {
    shape: shape.member(name) ?? Shape.UNKNOWN,
    optional: known.some(({ required }) => !required?.includes(name)),
  };
}

/** Whether a text may be any text. */
function isFree(shape: Shape): boolean {
  return shape.kinds.every((kind) => kind.enum === undefined && kind.const === undefined && kind.format === undefined);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
