import { TOKEN } from "../../../mustache/tokens.js";
import { type Count, isCount } from "./counts.js";
import { pathKey } from "./facts.js";
import { isOnly } from "./kinds.js";
import { countValue } from "./loops.js";
import { sightedAt, tokenOf } from "./paths.js";
import { isElement, isPlain } from "./react-values.js";
import { rendering, sited } from "./rendering.js";
import { isObject, type Path } from "./symbolic.js";
import { symbolicOf } from "./texts.js";

/** A variable or a count among a function's arguments. */
export interface StandIn {
  readonly symbolic: Path | Count;
  /** The value that represents it. */
  readonly value: object;
  readonly key: string;
}

/** Real values by the `key` of the stand-in that they replace. */
export type Values = ReadonlyMap<string, unknown>;

/** Each variable among values once; none if one of them is a string with sections, which can't be filled in here. */
export function standInsIn(values: readonly unknown[]): StandIn[] {
  const byKey = new Map<string, StandIn>();
  let isFillable = true;
  const add = (symbolic: Path | Count, value: object): void => {
    byKey.set(keyOf(symbolic), { symbolic, value, key: keyOf(symbolic) });
  };
  const visit = (value: unknown): void => {
    const symbolic = symbolicOf(value);
    if (symbolic?.kind === "path") add(symbolic, sightedAt(symbolic, symbolic.site));
    else if (isCount(symbolic)) add(symbolic, countValue(symbolic, symbolic.site));
    else if (symbolic?.kind === "text") {
      for (const [, number] of symbolic.text.matchAll(TOKEN)) {
        const meaning = rendering().tokens[Number(number)];
        if (meaning?.kind === "value") add(meaning.path, sightedAt(meaning.path, meaning.path.site));
        else isFillable = false;
      }
    } else if (symbolic) isFillable = false;
    else if (Array.isArray(value) || isPlain(value)) Object.values(value).forEach(visit);
  };
  values.forEach(visit);
  const standIns = [...byKey.values()];
  return isFillable ? standIns.filter(({ symbolic }) => symbolic.kind !== "path" || !isWithin(symbolic, byKey)) : [];
}

/** Whether an object that contains the variable is included too. */
function isWithin({ names, ...path }: Path, byKey: ReadonlyMap<string, unknown>): boolean {
  return names.some((_name, index) => byKey.has(keyOf({ ...path, names: names.slice(0, index) })));
}

/** Converts variables that are certainly strings to tokens, because code can do more with a string than with an object. */
export function asStrings<T>(value: T): T;
export function asStrings(value: unknown): unknown {
  const symbolic = symbolicOf(value);
  if (symbolic?.kind === "path" && isOnly(symbolic, "string")) return tokenOf(sited(symbolic));
  if (symbolic) return value;
  if (Array.isArray(value)) return value.map((each) => asStrings(each));
  if (!isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, asStrings(each)]));
}

/** A copy with variables replaced by real values. */
export function replaceIn<T>(value: T, values: Values): T;
export function replaceIn(value: unknown, values: Values): unknown {
  const symbolic = symbolicOf(value);
  if (symbolic?.kind === "path") return replaced(symbolic, values, value);
  if (isCount(symbolic)) return values.has(keyOf(symbolic)) ? values.get(keyOf(symbolic)) : value;
  if (symbolic?.kind === "text") return fillIn(symbolic.text, values);
  if (Array.isArray(value)) return value.map((each) => replaceIn(each, values));
  if (!isPlain(value) && !isElement(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, replaceIn(each, values)]));
}

function replaced(path: Path, values: Values, fallback: unknown): unknown {
  for (let depth = path.names.length; depth >= 0; depth -= 1) {
    const key = keyOf({ ...path, names: path.names.slice(0, depth) });
    if (values.has(key)) return path.names.slice(depth).reduce(memberOf, values.get(key));
  }
  return fallback;
}

function memberOf(value: unknown, name: string): unknown {
  const number = /^\[(-?\d+)\]$/.exec(name)?.[1];
  if (number !== undefined) return Array.isArray(value) ? value.at(Number(number)) : undefined;
  return isObject(value) ? Reflect.get(value, name.replace(/^\[|\]$/g, "")) : undefined;
}

/** A string filled in as Mustache does. */
export function fillIn(text: string, values: Values, escape: (value: string) => string = (value) => value): string {
  return text.replace(TOKEN, (token, number: string) => {
    const meaning = rendering().tokens[Number(number)];
    return meaning?.kind === "value" ? escape([replaced(meaning.path, values, token)].join("")) : token;
  });
}

function keyOf(symbolic: Path | Count): string {
  if (symbolic.kind === "path") return pathKey(symbolic);
  if (symbolic.kind === "position") return `position ${symbolic.loop.id} ${symbolic.offset}`;
  // A length that is printed is a variable.
  if (isPlainLength(symbolic)) return pathKey({ ...symbolic.of, names: [...symbolic.of.names, "[length]"] });
  const slice = symbolic.kind === "length" ? JSON.stringify(symbolic.slice) : "";
  return `${symbolic.kind} ${pathKey(symbolic.of)} ${symbolic.offset} ${slice}`;
}

function isPlainLength(count: Count): boolean {
  return count.kind === "length" && count.offset === 0 && count.slice.skipped === 0 && count.slice.limits.length === 0;
}
