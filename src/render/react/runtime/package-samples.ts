import { enterMoment, type Moment } from "../../../process/moment.js";
import { mayBeAbsent } from "./absent-dates.js";
import type { Shape } from "../../../mustache/shape.js";
import type { HtmlLayout } from "../../../mustache/tokens.js";
import { BOOLEAN, DATE, NUMBER, STRING } from "../../../mustache/expression/results.js";
import { isBlockName } from "../../text/walk.js";
import { canSubstituteIn, probesFor, substituteIn, symbolicArgumentsIn } from "./probes.js";
import { rendering } from "./rendering.js";
import { type AccessPath, isPlain, isReference, represented } from "./symbolic.js";

/** Real results of an operation for the same values, at two moments and with different random numbers. */
export interface Sample {
  readonly first: unknown;
  readonly later: unknown;
}

/** Results of a call. */
export interface CallSample extends Sample {
  /** Whether the result is an object that nothing else has. */
  readonly isNew: boolean;
  /** Whether the operation changed what it was done with, other than an object that it returned. */
  readonly isChanging: boolean;
}

/** Results of a call for some values of the variables among its arguments. */
export function sampleCall(
  call: (args: readonly unknown[]) => unknown,
  args: readonly unknown[],
): readonly CallSample[] {
  return valuesOf(args).flatMap((real) => {
    const before = textOf(real);
    return sampleOf(() => call(real)).map((results) => {
      const isNew = results.first !== results.later && !contains(real, results.first);
      return { ...results, isNew, isChanging: textOf(real) !== before };
    });
  });
}

/** The arguments, with undefined for each variable that may be absent. Returns undefined if no variable may be. */
export function withoutAbsentIn(args: readonly unknown[]): readonly unknown[] | undefined {
  const present = args.map((value) => {
    const path = represented(value);
    return path?.kind === "path" && mayBeAbsent(path) ? undefined : value;
  });
  return present.some((value, index) => value !== args[index]) ? present : undefined;
}

function contains(values: readonly unknown[], value: unknown): boolean {
  return values.some((each) => each === value || (isHolder(each) && contains(Object.values(each), value)));
}

function isHolder(value: unknown): value is object {
  return Array.isArray(value) || isPlain(value);
}

/** Results of a method of an object that a package returned. */
export function sampleMethod(path: AccessPath, name: string, args: readonly unknown[]): readonly CallSample[] {
  const call = (object: unknown, real: readonly unknown[]): unknown => {
    const method: unknown = isReference(object) ? Reflect.get(object, name) : undefined;
    if (typeof method !== "function") throw new TypeError(`${name} is not a function`);
    return Reflect.apply(method, object, real);
  };
  const [real = args] = valuesOf(args);
  return samplesOf(path).flatMap(({ first, later }) => {
    const before = textOf(first);
    const samples = sampleOf(
      () => call(first, real),
      () => call(later, real),
    );
    return samples.map((results) => {
      const isNew = results.first !== first;
      return { ...results, isNew, isChanging: isNew && textOf(first) !== before };
    });
  });
}

export function samplesOf({ names: [key = "", ...members] }: AccessPath): readonly Sample[] {
  return members.length === 0 ? (rendering().computed.samples.get(key) ?? []) : [];
}

/** Keeps the samples of a computation with its result. */
export function withSamples(result: unknown, results: readonly Sample[]): unknown {
  const path = represented(result);
  if (path?.kind === "path" && path.names[0] !== undefined) rendering().computed.samples.set(path.names[0], results);
  return result;
}

/** Whether a computation returned an object of a package, whose methods only the package knows. */
export function isPackageObject(path: AccessPath): boolean {
  const [sample] = samplesOf(path);
  return sample !== undefined && isReference(sample.first) && !isHolder(sample.first) && !isDate(sample.first);
}

function isDate(value: unknown): boolean {
  return isReference(value) && Object.getPrototypeOf(value) === Date.prototype;
}

/** The type of a result, if it was the same for all values. */
export function shapeOfSamples(results: readonly Sample[]): Shape | undefined {
  const [type, ...others] = new Set(results.map(({ first }) => typeof first));
  if (others.length > 0) return undefined;
  if (results.length > 0 && results.every(({ first }) => isDate(first))) return DATE;
  return type === "string" ? STRING : type === "number" ? NUMBER : type === "boolean" ? BOOLEAN : undefined;
}

/** The layout of results that are HTML; undefined if none is. */
export function layoutOfSamples(results: readonly Sample[]): HtmlLayout | undefined {
  const html = results.find(({ first }) => typeof first === "string" && STARTS_WITH_TAG.test(first));
  return html && layoutOf(String(html.first));
}

/** Whether HTML begins with an element that has lines of its own. */
export function layoutOf(html: string): HtmlLayout {
  const [tag = "", name = ""] = STARTS_WITH_TAG.exec(html) ?? [];
  return isBlockName(name.toLowerCase()) || IS_BOX.test(tag) ? "block" : "inline";
}

const STARTS_WITH_TAG = /^\s*<([a-z][^\s/>]*)[^>]*/i;
const IS_BOX = /\bdisplay\s*:\s*(?:inline-)?block\b/i;

/** Whether results depend on the time or on random numbers. */
export function areUncertain(results: readonly Sample[]): boolean {
  return results.some(({ first, later }) => !isSame(first, later));
}

function isSame(first: unknown, later: unknown): boolean {
  const text = textOf(first);
  return text === undefined || text === textOf(later);
}

/** What shows whether an object has changed; undefined if nothing does. */
function textOf(value: unknown): string | undefined {
  try {
    return JSON.stringify([value, String(value)]);
  } catch {
    return undefined;
  }
}

const MOST_VALUES = 24;

/** The arguments with real values for the variables among them; missing ones have a meaning of their own. */
function valuesOf(args: readonly unknown[]): readonly (readonly unknown[])[] {
  const [one, other] = [true, false].map((answer) => args.map((value) => decided(value, answer)));
  const isDecided = one?.every((value, index) => value === args[index]) ?? true;
  return [one, ...(isDecided ? [] : [other])].flatMap((each = []) => (canSubstituteIn(each) ? realValuesOf(each) : []));
}

function realValuesOf(args: readonly unknown[]): readonly (readonly unknown[])[] {
  const probes = [...probesFor(symbolicArgumentsIn(args), "", args)].map(([{ key }, values]) => ({
    key,
    values: values.filter((value) => value !== null && value !== undefined),
  }));
  const count = Math.min(MOST_VALUES, Math.max(1, ...probes.map(({ values }) => values.length)));
  return Array.from({ length: count }, (_, index) =>
    substituteIn(args, new Map(probes.map(({ key, values }) => [key, values[index % values.length]]))),
  );
}

/** A value with one answer to all that it depends on. */
function decided(value: unknown, answer: boolean): unknown {
  const symbolic = represented(value);
  return symbolic?.kind === "choice" ? decided(answer ? symbolic.yes : symbolic.no, answer) : value;
}

/** None if it throws. */
export function sampleOf(atFirst: () => unknown, later: () => unknown = atFirst): readonly Sample[] {
  return rendering().rehearse(() => {
    try {
      return [{ first: atMoment(FIRST, atFirst), later: atMoment(LATER, later) }];
    } catch {
      return [];
    }
  });
}

/** When package code is tried. */
export const FIRST: Moment = { now: () => Date.UTC(2024, 1, 3, 4, 5, 6), random: () => 0.25 };
const LATER: Moment = { now: () => Date.UTC(2031, 8, 18, 19, 20, 21), random: () => 0.75 };

function atMoment<T>(moment: Moment, work: () => T): T {
  const leave = enterMoment(moment);
  try {
    return work();
  } finally {
    leave();
  }
}
