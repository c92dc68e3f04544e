import type { SourcePosition } from "../../diagnostic.js";
import type { Condition } from "../../mustache/variables.js";
import { ALL_NAMES, type EnvironmentRead } from "../../process/module-inputs.js";
import { enterMoment, LATER, repeatableMoment, timesOfYear } from "../../process/moment.js";
import type { NamedComputation } from "./document/names.js";
import type { LocatedTag } from "./document/write.js";
import { PASS_MOMENT } from "./render-symbolic.js";
import { UNCERTAIN } from "./runtime/computed.js";
import type { Computation } from "./runtime/expression.js";
import type { Unsupported } from "./runtime/rendering.js";
import type { SourceRange } from "./runtime/symbolic.js";

/*
 * What a component takes from where it is compiled, apart from its modules: rendering it again with other surroundings shows
 * what depends on them.
 */

/** What a rendering needs of the variables. */
interface Needs {
  readonly writer: {
    readonly tags: readonly LocatedTag[];
    readonly conditions: readonly Condition[];
    readonly computed: readonly NamedComputation[];
  };
  readonly computations: ReadonlyMap<string, Computation>;
}

/**
 * Reports what a component does with its variables that would be different at another time or with other random numbers: the
 * contract would contain those of the compilation. What it prints without variables may change.
 *
 * @param moments Where own modules read the time or random numbers.
 */
export async function changingFindings(
  needs: Needs,
  moments: readonly SourcePosition[],
  renderAgain: () => Promise<Needs | undefined>,
): Promise<readonly Unsupported[]> {
  if (moments.length === 0 || needs.writer.conditions.length === 0) return [];
  const leave = enterMoment(LATER);
  try {
    const later = await renderAgain();
    return later ? differences(needs, later).map((finding) => ({ ...finding, moments })) : [];
  } finally {
    leave();
  }
}

function differences(now: Needs, later: Needs): Unsupported[] {
  const computed = changed(computedIn(now), computedIn(later));
  const names = new Set(computed.map(({ name }) => name));
  const tests = changed(testsIn(now), testsIn(later));
  const known = new Set(Array.from(later.computations.values(), contentOf));
  const causes = [...now.computations.values()].filter((each) => !known.has(contentOf(each)));
  return [
    ...computed.map(({ expression, site }): Unsupported => {
      // Where it begins: other operations go on with that result.
      const whole = JSON.stringify(expression);
      const cause = causes.find((each) => whole.includes(JSON.stringify(each.expression)));
      return { problem: UNCERTAIN, hint: PASS_MOMENT, site: cause?.within ?? cause?.site ?? site };
    }),
    ...tests
      .filter(({ path, within }) => ![...within, path].some((name) => names.has(name)))
      .map(({ site }): Unsupported => ({ problem: TESTED, hint: PASS_MOMENT, site })),
  ];
}

const TESTED = "is tested with the time or a random number";

interface Placed {
  readonly site?: SourceRange | undefined;
  readonly place: string;
  /** What is there. */
  readonly content: string;
}

/** What is something else later, where it is. A place may be reached only now, or only later. */
function changed<Of extends Placed>(now: readonly Of[], later: readonly Of[]): Of[] {
  const [before, after] = [new Set(now.map(keyOf)), new Set(later.map(keyOf))];
  const others = new Set(later.filter((each) => !before.has(keyOf(each))).map(({ place }) => place));
  return now.filter((each) => !after.has(keyOf(each)) && others.has(each.place));
}

function keyOf({ place, content }: Placed): string {
  return `${place} ${content}`;
}

function computedIn({ writer }: Needs): (NamedComputation & Placed)[] {
  return writer.computed.map((each) => ({ ...each, place: JSON.stringify(each.site), content: each.name }));
}

function testsIn({ writer: { tags, conditions } }: Needs): (Condition & Placed)[] {
  const tests = new Map(conditions.flatMap((each) => (each.test.kind === "computed" ? [] : [[each.name, each]])));
  return tags.flatMap(({ text, site }) => {
    const condition = tests.get(/^\{+[#^]?([^{}.]+)/.exec(text)?.[1] ?? "");
    return condition ? [{ ...condition, site, place: JSON.stringify(site), content: JSON.stringify(condition) }] : [];
  });
}

function contentOf({ site, expression }: Computation): string {
  return JSON.stringify([site, expression]);
}

/**
 * Where own modules read a date or a time of day that ends up in the body. A year may: it is usually meant.
 *
 * @param moments Where own modules read the time or random numbers.
 * @param render Returns the body at the current time; undefined if rendering fails.
 */
export async function frozenMoments(
  moments: readonly SourcePosition[],
  render: () => Promise<string | undefined>,
): Promise<SourcePosition[]> {
  if (moments.length === 0) return [];
  const [early, late] = timesOfYear();
  const renderAt = async (timeAt: (at: SourcePosition | undefined) => number): Promise<string | undefined> => {
    const leave = enterMoment(repeatableMoment(timeAt));
    try {
      return await render();
    } finally {
      leave();
    }
  };
  const body = await renderAt(() => early);
  if (body === undefined || (await renderAt(() => late)) === body) return [];
  // Something else than the time may differ in each rendering.
  if ((await renderAt(() => early)) !== body) return [];
  const frozen: SourcePosition[] = [];
  for (const moment of moments) {
    const isMoment = (at: SourcePosition | undefined): boolean => JSON.stringify(at) === JSON.stringify(moment);
    if ((await renderAt((at) => (isMoment(at) ? late : early))) !== body) frozen.push(moment);
  }
  return frozen;
}

/** An environment variable that changes a compiled body. */
export interface EnvironmentEffect {
  readonly name: string;
  /** Whether the body contains the word "undefined" because the variable is not set. */
  readonly isPrintedUndefined: boolean;
}

const VALUES = [undefined, "https://changed.example/", "1", "true"];

/** The literals that variables are compared with, in rewritten modules. */
const COMPARED = /"[!=]==?", .{1,200}?, "([^"\\]{1,40})", \(/g;
const MOST_COMPARED = 4;

interface EnvironmentTrial {
  /** Compiled in the current environment. */
  readonly body: string;
  /** Returns the body for the current environment; undefined if rendering fails. */
  readonly render: () => Promise<string | undefined>;
  /** The component's rewritten modules. */
  readonly code: string;
}

/**
 * The environment variables that a body depends on: those that change it when their value changes. Most variables read in
 * settings modules don't affect the body.
 */
export async function environmentEffects(
  reads: readonly EnvironmentRead[],
  trial: EnvironmentTrial,
): Promise<EnvironmentEffect[]> {
  const names = reads.filter(({ name, at }) => at && name !== ALL_NAMES).map(({ name }) => name);
  if (names.length === 0) return [];
  const { body, code } = trial;
  const compared = new Set(Array.from(code.matchAll(COMPARED), ([, value]) => value));
  const bodies = new Map(names.map((name): [string, (string | undefined)[]] => [name, []]));
  const isPrintedIn = (other: string): boolean => undefinedIn(other) < undefinedIn(body);
  const isKnown = (name: string): boolean =>
    (bodies.get(name) ?? []).some(
      (other) => other !== undefined && (undefinedIn(body) === 0 ? other !== body : isPrintedIn(other)),
    );
  for (const value of [...VALUES, ...[...compared].slice(0, MOST_COMPARED)]) {
    const rest = names.filter((name) => !isKnown(name));
    for (const [name, other] of await bodiesWith(value, rest, trial)) bodies.get(name)?.push(other);
  }
  return names.flatMap((name): EnvironmentEffect[] => {
    const others = bodies.get(name) ?? [];
    const rendered = others.filter((other) => other !== undefined);
    const isUnknown = others.length > 0 && rendered.length === 0;
    if (!isUnknown && rendered.every((other) => other === body)) return [];
    return [{ name, isPrintedUndefined: rendered.some(isPrintedIn) }];
  });
}

/** The body for each variable if that alone has this value. All are changed at once; if that has an effect, each half is. */
async function bodiesWith(
  value: string | undefined,
  names: readonly string[],
  trial: EnvironmentTrial,
): Promise<(readonly [name: string, body: string | undefined])[]> {
  const body = await bodyWith(value, names, trial);
  if (body === trial.body || names.length === 1) return names.map((name) => [name, body]);
  const middle = Math.ceil(names.length / 2);
  const first = await bodiesWith(value, names.slice(0, middle), trial);
  return [...first, ...(await bodiesWith(value, names.slice(middle), trial))];
}

function undefinedIn(body: string): number {
  return body.match(/\bundefined\b/g)?.length ?? 0;
}

/* oxlint-disable node/no-process-env -- the component's environment is changed */
async function bodyWith(
  value: string | undefined,
  names: readonly string[],
  { body, render }: EnvironmentTrial,
): Promise<string | undefined> {
  const before = names.map((name) => [name, process.env[name]] as const);
  if (before.every(([, previous]) => previous === value)) return body;
  const set = (name: string, to: string | undefined): void => {
    if (to === undefined) delete process.env[name];
    else process.env[name] = to;
  };
  try {
    for (const name of names) set(name, value);
    return await render();
  } finally {
    for (const [name, previous] of before) set(name, previous);
  }
}
