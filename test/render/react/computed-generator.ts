import * as fc from "fast-check";
import type { Variables, VariablesSchema } from "../../../src/mustache/variables.js";
import { FORMS, type Kind, LEAVES, LITERALS, OFFERS, PRELUDE, type Word } from "./computed-grammar.js";

/*
 * Random components full of computed values: programs over everything that can be computed when an email is filled, typed so
 * that they rarely throw; and variables for them.
 */

/** A part of a program. It can be replaced by any other of the same kind. */
export interface Part {
  readonly kind: Kind | Word;
  readonly pieces: readonly (string | Part)[];
  /** The names that it defines for its inner parts. */
  readonly defines: readonly string[];
}

/** Names in scope: expressions of each kind. */
type Scope = Readonly<Partial<Record<Kind, readonly string[]>>>;

const HOLE = /@(\w+)(?:\((\$[^)]*)\))?|\$([a-z])(?![a-z])/g;

/** The children of a component. */
export function programs(depth: number, children = 2): fc.Arbitrary<Part> {
  return fc.gen().map((draw): Part => {
    const writer = new Writer((count) => draw(() => fc.noBias(fc.nat({ max: count - 1 }))));
    return { kind: "child", pieces: Array.from({ length: children }, () => writer.part("child", depth)), defines: [] };
  });
}

/** An expression of a kind without the component's own functions, and without statements. */
export function plainExpressions(kind: Kind, depth: number): fc.Arbitrary<Part> {
  const isPlain = (form: string): boolean => !HELPERS.test(form) && !/=> \{|\{\s*label\b/.test(form);
  return fc
    .gen()
    .map((draw) => new Writer((count) => draw(() => fc.noBias(fc.nat({ max: count - 1 }))), isPlain).part(kind, depth));
}

const HELPERS = new RegExp(
  `\\b(?:${Array.from(PRELUDE.matchAll(/^(?:const|function) (\w+)/gm), ([, name]) => name).join("|")})\\b`,
);

class Writer {
  readonly #below: (count: number) => number;
  readonly #isAllowed: (form: string) => boolean;
  #names = 0;

  /** @param below A random integer from 0 to one below the count. */
  constructor(below: (count: number) => number, isAllowed: (form: string) => boolean = () => true) {
    this.#below = below;
    this.#isAllowed = isAllowed;
  }

  part(kind: Kind, room: number, scope: Scope = {}): Part {
    const isLeaf = room <= 0 || (Object.keys(scope).length > 0 && this.#below(6) === 0);
    return isLeaf ? this.#leaf(kind, scope) : this.#fill(kind, room, scope);
  }

  #one<T>(values: readonly T[]): T {
    const value = values[this.#below(values.length)];
    if (value === undefined) throw new Error("There is nothing to choose from.");
    return value;
  }

  #leaf(kind: Kind, scope: Scope): Part {
    const own = scope[kind] ?? [];
    const text = own.length > 0 && this.#below(3) > 0 ? this.#one(own) : this.#one(LEAVES[kind]);
    return { kind, pieces: [text], defines: [] };
  }

  #fill(kind: Kind, room: number, scope: Scope): Part {
    const form = this.#one(FORMS[kind].filter(this.#isAllowed));
    const pieces: (string | Part)[] = [];
    const own = new Map<string, string>();
    const nameOf = (letter: string): string => {
      const name = own.get(letter) ?? `${letter}${(this.#names += 1)}`;
      own.set(letter, name);
      return name;
    };
    let end = 0;
    for (const { 0: hole, 1: inner, 2: added = "", 3: letter, index } of form.matchAll(HOLE)) {
      pieces.push(form.slice(end, index));
      end = index + hole.length;
      if (letter !== undefined) pieces.push(nameOf(letter));
      else if (isWord(inner)) pieces.push({ kind: inner, pieces: [this.#one(LITERALS[inner])], defines: [] });
      else if (isKind(inner)) pieces.push(this.part(inner, room - 1, entered(scope, added, nameOf)));
      else throw new Error(`${hole} is not a kind of expression.`);
    }
    pieces.push(form.slice(end));
    return { kind, pieces, defines: [...own.values()] };
  }
}

/** `$x:item,$i:number` in scope. */
function entered(scope: Scope, added: string, nameOf: (letter: string) => string): Scope {
  const all: Partial<Record<Kind, readonly string[]>> = { ...scope };
  for (const each of added === "" ? [] : added.split(",")) {
    const [name = "", kind = ""] = each.split(":");
    const offered = Object.hasOwn(OFFERS, kind) ? OFFERS[kind as keyof typeof OFFERS] : [];
    for (const [of, form] of offered) all[of] = [...(all[of] ?? []), form.replaceAll("X", () => nameOf(name.slice(1)))];
  }
  return all;
}

function isWord(name: string | undefined): name is Word {
  return name !== undefined && Object.hasOwn(LITERALS, name);
}

function isKind(name: string | undefined): name is Kind {
  return name !== undefined && Object.hasOwn(FORMS, name);
}

export function print(part: Part): string {
  return part.pieces.map((piece) => (typeof piece === "string" ? piece : print(piece))).join("");
}

/** The module with the component. */
export function componentOf(part: Part, parameter = "p"): string {
  return `${PRELUDE}export default function Email(${parameter}) { return <div>${print(part)}</div>; }\n`;
}

/** Smaller programs that may fail for the same reason, the smallest first. */
export function simpler(part: Part): Part[] {
  return [...simplerOf(part)].sort((a, b) => print(a).length - print(b).length);
}

function* simplerOf(part: Part): Generator<Part> {
  const length = print(part).length;
  if (isKind(part.kind)) {
    const [first = ""] = LEAVES[part.kind];
    if (first.length < length) yield { kind: part.kind, pieces: [first], defines: [] };
    for (const inner of innerParts(part)) if (inner.kind === part.kind && isClosed(inner, part)) yield inner;
  }
  for (const [index, piece] of part.pieces.entries()) {
    if (typeof piece === "string") continue;
    for (const smaller of simplerOf(piece)) yield { ...part, pieces: part.pieces.with(index, smaller) };
  }
}

function innerParts(part: Part): Part[] {
  return part.pieces.flatMap((piece) => (typeof piece === "string" ? [] : [piece, ...innerParts(piece)]));
}

/** Whether a part uses no name that another part around it, within the outer one, defines. */
function isClosed(inner: Part, outer: Part): boolean {
  const own = new Set(definitionsIn(inner));
  const others = definitionsIn(outer).filter((name) => !own.has(name));
  const source = print(inner);
  return !others.some((name) => new RegExp(`\\b${name}\\b`).test(source));
}

function definitionsIn(part: Part): string[] {
  return [...part.defines, ...innerParts(part).flatMap(({ defines }) => defines)];
}

const text: VariablesSchema = { type: "string" };
const number: VariablesSchema = { type: "number" };
const flag: VariablesSchema = { type: "boolean" };
const list = (items: VariablesSchema): VariablesSchema => ({ type: "array", items });
const orNull = (schema: VariablesSchema): VariablesSchema => ({ anyOf: [schema, { type: "null" }] });
/** Marks strings from which dates are made. */
const date: VariablesSchema = { type: "string", format: "date-time" };

function object(properties: Record<string, VariablesSchema>, optional: readonly string[] = []): VariablesSchema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: "object", properties, required };
}

const item = object(
  {
    label: text,
    price: number,
    quantity: number,
    gift: flag,
    hint: text,
    at: date,
    marks: list(text),
    parts: list(object({ title: text, size: number, big: flag })),
    box: object({ title: text, size: number, marks: list(text) }, ["size"]),
  },
  ["hint", "box"],
);

export const SCHEMA = object(
  {
    name: text,
    title: text,
    status: text,
    note: text,
    nick: orNull(text),
    currency: { type: "string", enum: ["EUR", "USD", "JPY"] },
    cents: number,
    count: number,
    rate: number,
    rank: number,
    level: orNull(number),
    vip: flag,
    sentAt: date,
    dueAt: date,
    day: { type: "string", format: "date" },
    local: text,
    time: { type: "integer" },
    tags: list(text),
    lines: list(text),
    scores: list(number),
    amounts: list(number),
    items: list(item),
    gifts: list(item),
    main: item,
    prices: object({ tea: number, "green tea": number, milk: number }),
    order: object({ id: text, total: number }),
    customer: object({ city: text, points: number, address: object({ street: text, zip: number }, ["zip"]) }, [
      "city",
      "points",
      "address",
    ]),
  },
  ["note", "rank", "customer"],
);

const TEXTS = [
  "",
  "Ann",
  "a",
  "b",
  "paid",
  'O\'Brien & <Co> "x"',
  "two words",
  "  padded\u00A0 ",
  "ÄÖß straße",
  "😀👩‍👩‍👧 family",
  "e\u0301clair",
  "İstanbul ıi",
  "12",
  "3.5kg",
  " -7 ",
  "0x1f",
  "1e3",
  "abc-123_def",
  "$& $1 $$ $<tail>",
  "a,b,,c",
  "{{x}}",
  "<b>bold</b>",
  "lorem ipsum dolor ".repeat(20),
];

/** Around changes to daylight saving time in Europe and America, midnights, leap days and the epoch. */
const DATES = [
  "2024-03-31T00:59:59.999Z",
  "2024-03-31T01:00:00Z",
  "2024-10-27T00:30:00Z",
  "2024-10-27T01:30:00Z",
  "2024-03-10T06:59:59Z",
  "2024-03-10T07:00:00Z",
  "2024-11-03T05:30:00Z",
  "2024-11-03T06:30:00Z",
  "2023-12-31T23:30:00-05:00",
  "2024-01-01T00:00:00Z",
  "2024-02-29T12:00:00+05:45",
  "1969-12-31T23:59:59Z",
  "2024-06-15T23:59:59.500+02:00",
  "2031-07-04T18:14:59.999Z",
];
const DAYS = ["2024-03-31", "2024-10-27", "2024-02-29", "2023-12-31", "1970-01-01"];
const LOCAL = [
  "2024-03-31T02:30:00",
  "2024-10-27T02:30",
  "2024-03-10T02:15:00",
  "2024-11-03T01:30:00",
  "2024-01-01T00:00",
];
const TIMES = [0, 1, 1_711_846_799_999, 1_711_846_800_000, 1_730_003_400_000, -86_400_001, 1_718_488_799_500];
const NUMBERS = [
  0, 1, 2, 3, 5, 11, 12, 21, 100, -1, -2, 0.5, 1.005, 2.5, 19.99, -3.25, 1999, 49_900, 1_234_567.891, 123_456_789_012,
  1e21, 1e-7, 9_007_199_254_740_991,
];

const byName: Readonly<Record<string, readonly unknown[]>> = { local: LOCAL, time: TIMES };

export function variablesOf(schema: VariablesSchema, name = ""): fc.Arbitrary<unknown> {
  const { type, format, items, anyOf, properties = {}, required = [] } = schema;
  const own = byName[name] ?? schema.enum;
  if (own) return fc.constantFrom(...own);
  if (anyOf) return fc.oneof(...anyOf.map((each) => variablesOf(each)));
  if (type === "null") return fc.constant(null);
  if (format === "date") return fc.constantFrom(...DAYS);
  if (format === "date-time") return fc.constantFrom(...DATES);
  if (type === "string") return fc.constantFrom(...TEXTS);
  if (type === "number") return fc.constantFrom(...NUMBERS);
  if (type === "boolean") return fc.boolean();
  if (type === "array") return fc.array(variablesOf(typeof items === "object" ? items : text), { maxLength: 4 });
  const members = Object.entries(properties).map(([each, member]) => [each, variablesOf(member, each)] as const);
  return fc.record(Object.fromEntries(members), { requiredKeys: [...required], noNullPrototype: true });
}

export const variables = variablesOf(SCHEMA) as fc.Arbitrary<Variables>;
