import { byValue, lift } from "./choices.js";
import { isRewritten } from "./components.js";
import { isSameResult } from "./facts.js";
import { binary, branch, falsyValue } from "./operators.js";
import {
  type ConcreteValues,
  defaultsOf,
  type Probes,
  probesFor,
  substituteIn,
  type SymbolicArgument,
  symbolicArgumentsIn,
  tokenized,
} from "./probes.js";
import { isHook } from "./package-uses.js";
import { refuse, REFUSED, rendering } from "./rendering.js";
import { symbolicOf } from "./strings.js";
import { type AnyFunction, isPlain, isReference, represented } from "./symbolic.js";

/**
 * Calls a function from a package. Its code can't handle choices, so it is called for each case. What it does with a variable
 * can't be observed, so it is also called with real values: if a real result differs from the filled-in token, the function
 * computes with the variable.
 *
 * @param isRecordable Whether the call can be computed when an email is filled instead.
 */
export function callPackage(
  called: AnyFunction,
  self: unknown,
  args: readonly unknown[],
  isRecordable: () => boolean,
): unknown {
  const { site } = rendering(); // which trying the candidates changes
  const apply = (each: readonly unknown[]): unknown => {
    rendering().site = site;
    return Reflect.apply(called, self, each);
  };
  const call = new PackageCall(called, apply, isRecordable);
  return liftInto(args, (each) => call.run(each));
}

type Outcome = { readonly result: unknown } | { readonly thrown: unknown };

/** A variable whose filled-in token differs from the result for some of its values. */
interface Mismatch {
  readonly standIn: SymbolicArgument;
  readonly differing: readonly unknown[];
  readonly tried: number;
}

class PackageCall {
  readonly #called: AnyFunction;
  readonly #apply: (args: readonly unknown[]) => unknown;
  readonly #isRecordable: () => boolean;

  constructor(called: AnyFunction, apply: (args: readonly unknown[]) => unknown, isRecordable: () => boolean) {
    this.#called = called;
    this.#apply = apply;
    this.#isRecordable = isRecordable;
  }

  /** @param split The cases that were already distinguished. */
  run(args: readonly unknown[], split: ReadonlySet<string> = new Set()): unknown {
    const standIns = isHook(this.#called) || isRewritten(this.#called) ? [] : symbolicArgumentsIn(args);
    if (standIns.length === 0) return this.#apply(args);
    const { findings } = rendering();
    const before = findings.length;
    const outcome = this.#attempt(() => this.#apply(tokenized(args)));
    const mismatch = findings.length > before ? undefined : this.#mismatch(args, standIns, outcome);
    if (mismatch) return this.#distinguish(args, mismatch, split);
    if ("result" in outcome) {
      const untried = split.size === 0 && showsNothing(outcome.result) ? standIns.find(mayBeOther) : undefined;
      return untried && this.#isRecordable() ? refuse(untried.symbolic, PROBLEM) : outcome.result;
    }
    if (findings.length > before) return REFUSED;
    throw outcome.thrown;
  }

  #attempt(work: () => unknown): Outcome {
    try {
      return { result: work() };
    } catch (thrown) {
      if (isReference(thrown) && "then" in thrown) throw thrown; // React waits for it
      return { thrown };
    }
  }

  /** The variable that the function computes with, preferably one with which it does so for some values only. */
  #mismatch(args: readonly unknown[], standIns: readonly SymbolicArgument[], outcome: Outcome): Mismatch | undefined {
    const code = Function.prototype.toString.call(this.#called);
    const probes = probesFor(standIns, code, args);
    const usual = defaultsOf(probes);
    const mismatches = [...probes].map(([standIn, tried]): Mismatch => {
      const differing = tried.filter((probe, index) =>
        [usual, ...(probes.size > 1 ? [nextTo(probes, index)] : [])].some((others) =>
          this.#differs(args, new Map([...others, [standIn.key, probe]]), outcome),
        ),
      );
      return { standIn, differing, tried: tried.length };
    });
    const relevant = mismatches.filter(({ differing }) => differing.length > 0);
    return relevant.find(({ differing, tried }) => differing.length < tried) ?? relevant[0];
  }

  /** A value with which the function throws is not a valid value for it. */
  #differs(args: readonly unknown[], values: ConcreteValues, outcome: Outcome): boolean {
    const real = this.#attempt(() => this.#apply(substituteIn(args, values)));
    if ("thrown" in real) return false;
    try {
      return "thrown" in outcome || !isSameResult(substituteIn(outcome.result, values), real.result);
    } catch {
      return true; // objects that lead back to themselves
    }
  }

  /** The cases in which the function returns a different result, if there are few; otherwise the call is refused. */
  #distinguish(args: readonly unknown[], { standIn, differing }: Mismatch, split: ReadonlySet<string>): unknown {
    const { symbolic, value, key } = standIn;
    // If it throws, there is no email.
    const withValue = (real: unknown): unknown => {
      const outcome = this.#attempt(() => this.run(substituteIn(args, new Map([[key, real]])), split));
      return "result" in outcome ? outcome.result : undefined;
    };
    const isNew = (question: string): boolean => !split.has(`${question} ${key}`);
    const others = (question: string): unknown => this.run(args, new Set([...split, `${question} ${key}`]));
    if (!this.#distinguishesNull(args, standIn)) {
      const nothing = symbolic.kind === "path" && !symbolic.optional ? null : undefined;
      const literals = symbolic.kind === "path" && symbolic.literals?.filter(isScalar);
      if (literals) {
        const results = literals.map(withValue);
        const last = symbolic.mayBeMissing ? withValue(nothing) : results.pop();
        return byValue(symbolic, literals.slice(0, results.length), (_literal, index) => results[index], last);
      }
      const isFewCases = differing.every((each) => !each || each === 1);
      const isOneCase = isFewCases && differing.every(Boolean);
      if (isOneCase && isNew("one")) {
        const isOne = binary("===", value, 1, () => false);
        return branch(
          isOne,
          () => withValue(1),
          () => others("one"),
        );
      }
      if (isFewCases && !isOneCase && isNew("truthy")) {
        return branch(
          value,
          () => others("truthy"),
          () => lift(falsyValue(value), (each) => withValue(each ?? nothing)),
        );
      }
    }
    return refuse(symbolic, PROBLEM);
  }

  /** Whether the function distinguishes null from undefined, which Mustache can't. */
  #distinguishesNull(args: readonly unknown[], { symbolic, key }: SymbolicArgument): boolean {
    if (symbolic.kind !== "path" || !symbolic.optional || !symbolic.kinds.has("null")) return false;
    const [ofNull, ofUndefined] = [null, undefined].map((each) =>
      this.#attempt(() => this.#apply(substituteIn(args, new Map([[key, each]])))),
    );
    return !isSameResult(ofNull, ofUndefined);
  }
}

const PROBLEM = "is computed by a package";

/**
 * Whether a result was the same for all values that were tried. It may be one for invalid arguments: no value is a date in
 * every format, or a country's code.
 */
function showsNothing(result: unknown): boolean {
  if (!isReference(result)) return !symbolicOf(result);
  return !represented(result) && typeof result === "object" && !isHolder(result) && !("then" in result);
}

/** Whether a variable may have other values than those that were tried. */
function mayBeOther({ symbolic }: SymbolicArgument): boolean {
  return symbolic.kind !== "path" || !(symbolic.literals || symbolic.isOnly("boolean"));
}

/** The values that variables have while a variable is tried with its value at this index: those at the next one. */
function nextTo(probes: Probes, index: number): ConcreteValues {
  const filled = [...probes].filter(([, values]) => values.length > 0);
  return new Map(filled.map(([{ key }, values]) => [key, values[(index + 1) % values.length]]));
}

function isScalar(value: unknown): value is string | number | boolean {
  return ["string", "number", "boolean"].includes(typeof value);
}

/** Applies a function to values; if there are choices among them or in lists and objects among them, to each case. */
function liftInto(args: readonly unknown[], work: (args: readonly unknown[]) => unknown, from = 0): unknown {
  const index = args.findIndex((value, at) => at >= from && (represented(value)?.kind === "choice" || isHolder(value)));
  if (index < 0) return work(args);
  const value = args[index];
  const withOne = (one: unknown): unknown => liftInto(args.with(index, one), work, index + 1);
  if (Array.isArray(value)) return liftInto(value, withOne);
  if (!isPlain(value)) return lift(value, (each) => liftInto(args.with(index, each), work, index));
  const names = Object.keys(value);
  return liftInto(Object.values(value), (each) =>
    withOne(Object.fromEntries(names.map((name, at) => [name, each[at]]))),
  );
}

function isHolder(value: unknown): boolean {
  return Array.isArray(value) || isPlain(value);
}
