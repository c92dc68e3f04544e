import type { Variables, VariablesSchema } from "../../../src/mustache/variables.js";
import { blankValue } from "../schema/ways.js";
import { isRecord } from "../../../src/values.js";
import { itemSchema, kindOf, memberSchema, bestBranch, branchesOf } from "../schema/resolve.js";
import { startsWith, type ValuePath } from "../path.js";

/** Maximum length of strings and lists. Longer ones would show nothing new. */
export const LONGEST = 1_000;

export interface Stress {
  /** Changes strings whose schema has no format or other restriction. */
  readonly text?: (text: string) => string;
  /** Whether a rejected string may be shortened. */
  readonly canBeCut?: boolean;
  /** Number of items of lists: those of the variables first, then those inside their items. */
  readonly items?: readonly number[];
  /** Whether longer lists of the variables are shortened. */
  readonly isExact?: boolean;
  /** Whether strings and lists become empty and optional values are removed. */
  readonly isEmptying?: boolean;
}

/**
 * The amount of a change, by its key. 0 skips the change. Values in between limit the length, or shorten the original
 * by less.
 */
export type Amounts = (key: string) => number;

export interface Stressed {
  readonly variables: Variables;
  /** The changes that were made, by key. */
  readonly changes: ReadonlyMap<string, PresetChange>;
}

/** Variables with each string and each list stressed by the given amounts. */
export function applyStress(
  variables: Variables,
  root: VariablesSchema,
  { text: stressText, items = [], isExact = false, isEmptying = false }: Stress,
  amountOf: Amounts = () => Infinity,
): Stressed {
  const changes = new Map<string, PresetChange>();
  const made = stressed(variables, root, []);
  return { variables: isRecord(made) ? made : variables, changes };

  function stressed(value: unknown, part: VariablesSchema, place: Place): unknown {
    const schema = bestBranch(value, branchesOf(part, root), root);
    if (typeof value === "string") return stressedText(value, schema, place);
    if (Array.isArray(value)) return stressedList(value, schema, place);
    return isRecord(value) ? stressedObject(value, schema, place) : value;
  }

  function stressedText(value: string, schema: VariablesSchema, place: Place): string {
    const isFree = ["text", "any"].includes(kindOf(schema)) && schema.format === undefined;
    if (!isFree) return value;
    const text = changedText(value, amountOf(keyOfChange({ kind: "text", place })));
    return text !== value && does("text", place) ? text : value;
  }

  function changedText(value: string, most: number): string {
    if (isEmptying) return cut(value, LONGEST - most);
    const whole = isAddress(value) ? value : (stressText?.(value) ?? value);
    if (most >= whole.length) return whole;
    return most > value.length ? cut(whole, most) : value;
  }

  function stressedList(list: readonly unknown[], schema: VariablesSchema, place: Place): unknown[] {
    const wanted = items[place.filter((step) => step === "*").length] ?? 0;
    // An empty list that should get several items starts with one.
    const isBlank = list.length === 0 && typeof schema.items === "object" && wanted > 0;
    const source = isBlank && does("count", place) ? [blankValue(itemSchema(schema, 0), root)] : list;
    const changed = source.map((item, index) => stressed(item, itemSchema(schema, index), [...place, "*"]));
    const count = countOf(changed.length, wanted, schema, place);
    if (count === changed.length || !does("count", place)) return changed;
    return Array.from({ length: count }, (_, index) => structuredClone(changed[index % changed.length]));
  }

  function countOf(length: number, wanted: number, schema: VariablesSchema, place: Place): number {
    const amount = amountOf(keyOfChange({ kind: "count", place }));
    if (schema.prefixItems !== undefined) return length;
    if (isEmptying) return Math.min(length, Math.max(0, LONGEST - amount));
    if (items.length === 0 || length === 0) return length;
    const isCut = isExact && !place.includes("*") && amount === Infinity;
    return isCut ? wanted : Math.max(length, Math.min(wanted, amount));
  }

  function stressedObject(object: Variables, schema: VariablesSchema, place: Place): Variables {
    const { properties = {}, required = [], additionalProperties } = schema;
    const isOptional = (name: string): boolean =>
      Object.hasOwn(properties, name) ? !required.includes(name) : Boolean(additionalProperties);
    const entries = Object.entries(object).flatMap(([name, member]): [string, unknown][] => {
      const at = [...place, name];
      if (isEmptying && isOptional(name) && does("absence", at)) return [];
      return [[name, stressed(member, memberSchema(schema, name) ?? {}, at)]];
    });
    return Object.fromEntries(entries);
  }

  /** Whether a change is wanted, which is then recorded. */
  function does(kind: PresetChange["kind"], place: Place): boolean {
    const change = { kind, place };
    const key = keyOfChange(change);
    if (amountOf(key) === 0) return false;
    changes.set(key, change);
    return true;
  }
}

/** Member names. All items of a list share one place. */
type Place = readonly string[];

/** One change that a preset makes, in all items of a list alike. */
export interface PresetChange {
  readonly kind: "text" | "count" | "absence";
  readonly place: Place;
}

export function keyOfChange({ kind, place }: PresetChange): string {
  return JSON.stringify([kind, ...place]);
}

export function locate(path: ValuePath): Place {
  return path.map((step) => (typeof step === "number" ? "*" : step));
}

/**
 * The changes that may have caused a problem at a place: those at the place itself, otherwise inside it, otherwise
 * around it.
 */
export function changesAt(place: Place, changes: readonly PresetChange[]): readonly PresetChange[] {
  const own = changes.filter((change) => change.place.length === place.length && startsWith(change.place, place));
  if (own.length > 0) return own;
  const within = changes.filter((change) => startsWith(change.place, place));
  if (within.length > 0) return within;
  const around = changes.filter((change) => startsWith(place, change.place));
  const nearest = Math.max(...around.map((change) => change.place.length));
  return around.filter((change) => change.place.length === nearest);
}

/** The beginning of a string, without half a character or a space at its end. */
function cut(text: string, length: number): string {
  return text.slice(0, Math.max(0, length)).replace(/[\s\p{Surrogate}]$/u, "n");
}

/** Whether it is a URL or colour, as used by links, images and styles: any other value would only break them. */
function isAddress(text: string): boolean {
  return /^(?:[a-z][a-z+.-]*:|\/|#[0-9a-f]{3,8}$|\S+@\S+\.\S+$|\d{4}-\d{2}-\d{2})/i.test(text) && !/\s/.test(text);
}
