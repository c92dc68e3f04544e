import type { Condition } from "../variables.js";
import { evaluate } from "./evaluate.js";
import type { Expression } from "./expression.js";
import { localised } from "./localised.js";
import { packagesIn } from "./packages.js";

/**
 * The functions of packages that templates need, made for a locale and a time zone: the code of the packages uses these
 * classes instead of the global ones.
 *
 * @example
 * const make: MakeFunctions = (Date, Intl) => ({ "date-fns format": (date, pattern) => …, "dayjs default": (date) => … });
 */
export type MakeFunctions = (Date: DateConstructor, Intl: object) => PackageFunctions;

/** By their module and name: `date-fns format`. */
type PackageFunctions = Readonly<Record<string, unknown>>;

export interface FunctionsInput {
  readonly make: MakeFunctions;
  readonly conditions: readonly Condition[];
  readonly locale: string;
  readonly timeZone: string;
}

/** How many sets of functions are kept. A set may be a whole library, and making it again takes milliseconds. */
const MOST_KEPT = 16;

/** The least recently used first. */
const kept = new WeakMap<MakeFunctions, Map<string, PackageFunctions>>();

/**
 * Makes a template's functions of packages, after what its modules do for their effect on these. Templates that do different
 * things to a package get instances of their own.
 */
export function packageFunctions({ make, conditions, locale, timeZone }: FunctionsInput): PackageFunctions {
  const { steps, text } = setupOf(conditions);
  const key = JSON.stringify([locale, timeZone, text]);
  const sets = kept.get(make) ?? new Map<string, PackageFunctions>();
  kept.set(make, sets);
  const functions = sets.get(key) ?? madeWith(make, steps, { locale, timeZone });
  sets.delete(key);
  sets.set(key, functions);
  const [oldest = key] = sets.keys();
  if (sets.size > MOST_KEPT) sets.delete(oldest);
  return functions;
}

function madeWith(
  make: MakeFunctions,
  setup: readonly Expression[],
  context: Pick<FunctionsInput, "locale" | "timeZone">,
): PackageFunctions {
  const { Date, Intl } = localised(context);
  const functions = make(Date, Intl);
  for (const step of setup) evaluate(step, [], [], { ...context, functions });
  return functions;
}

interface Setup {
  readonly steps: readonly Expression[];
  /** The same for equal steps. */
  readonly text: string;
}

const setups = new WeakMap<readonly Condition[], Setup>();

/** What is evaluated first, each once. Imports without names have their effect when the functions are made. */
function setupOf(conditions: readonly Condition[]): Setup {
  const known = setups.get(conditions);
  if (known) return known;
  const all = packagesIn(conditions).flatMap(({ setup = [] }) => setup);
  const steps = new Map(all.map((step) => [JSON.stringify(step), step]));
  const text = JSON.stringify([...steps.keys()]);
  const setup = { steps: [...steps.values()].filter(({ kind }) => kind !== "package"), text };
  setups.set(conditions, setup);
  return setup;
}
