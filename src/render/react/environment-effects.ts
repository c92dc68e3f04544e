import { ALL_NAMES, type EnvironmentRead } from "../../process/reads.js";

/** An environment variable that changes a compiled body. */
export interface EnvironmentEffect {
  readonly name: string;
  /** Whether the body contains the word "undefined" because the variable is not set. */
  readonly isPrintedUndefined: boolean;
}

export interface EnvironmentTrial {
  /** Returns the body for the current environment; undefined if rendering fails. */
  readonly render: () => Promise<string | undefined>;
  /** The component's rewritten modules. */
  readonly code: string;
}

const VALUES = [undefined, "https://changed.example/", "1", "true"];

/** The literals that variables are compared with, in rewritten modules. */
const COMPARED = /"[!=]==?", .{1,200}?, "([^"\\]{1,40})", \(/g;
const MOST_COMPARED = 4;

/**
 * The environment variables that a body depends on: those that change it when their value changes. Most variables read in
 * settings modules don't affect the body. All are changed at once, and one by one only if that has an effect.
 */
export async function environmentEffects(
  reads: readonly EnvironmentRead[],
  body: string,
  { render, code }: EnvironmentTrial,
): Promise<EnvironmentEffect[]> {
  const names = reads.filter(({ name, at }) => at && name !== ALL_NAMES).map(({ name }) => name);
  if (names.length === 0) return [];
  const compared = new Set(Array.from(code.matchAll(COMPARED), ([, value]) => value));
  const bodies = new Map(names.map((name): [string, (string | undefined)[]] => [name, []]));
  for (const value of [...VALUES, ...[...compared].slice(0, MOST_COMPARED)]) {
    const together = await withVariables(names, value, render);
    for (const name of names)
      bodies.get(name)?.push(together === body ? body : await withVariables([name], value, render));
  }
  return names.flatMap((name): EnvironmentEffect[] => {
    const others = bodies.get(name) ?? [];
    const rendered = others.filter((other) => other !== undefined);
    const isUnknown = others.length > 0 && rendered.length === 0;
    if (!isUnknown && rendered.every((other) => other === body)) return [];
    return [{ name, isPrintedUndefined: rendered.some((other) => undefinedIn(other) < undefinedIn(body)) }];
  });
}

function undefinedIn(body: string): number {
  return body.match(/\bundefined\b/g)?.length ?? 0;
}

/* oxlint-disable node/no-process-env -- the component's environment is changed */
async function withVariables<Result>(
  names: readonly string[],
  value: string | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  const before = names.map((name) => [name, process.env[name]] as const);
  const set = (name: string, to: string | undefined): void => {
    if (to === undefined) delete process.env[name];
    else process.env[name] = to;
  };
  try {
    for (const name of names) set(name, value);
    return await work();
  } finally {
    for (const [name, previous] of before) set(name, previous);
  }
}
