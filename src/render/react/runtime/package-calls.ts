import { isRewritten } from "./places.js";
import { byValue, lift } from "./choices.js";
import { kindsOf, literalsOf, maybeMissing } from "./kinds.js";
import { binary } from "./operators.js";
import { probesOfAll, usualOf } from "./probes.js";
import { branch, falsyValue } from "./questions.js";
import { isPlain } from "./react-values.js";
import { REFUSED, refuse } from "./refusal.js";
import { rendering } from "./rendering.js";
import { isSame } from "./same.js";
import { asStrings, replaceIn, type StandIn, standInsIn, type Values } from "./stand-ins.js";
import { isObject, represented } from "./symbolic.js";

type Callable = (...parameters: unknown[]) => unknown;

/**
 * Calls a function from a package. Its code can't handle choices, so it is called for each case. What it does with a variable
 * can't be observed, so it is also called with real values: if a real result differs from the filled-in token, the function
 * computes with the variable.
 */
export function callPackage(called: Callable, self: unknown, args: readonly unknown[]): unknown {
  const { site } = rendering(); // which trying the candidates changes
  const call = new PackageCall(called, (each) => {
    rendering().site = site;
    return Reflect.apply(called, self, each);
  });
  return liftInto(args, (each) => call.run(each));
}

/** The result of a call. */
type Outcome = { readonly result: unknown } | { readonly thrown: unknown };

/** A variable whose filled-in token differs from the result for some of its values. */
interface Mismatch {
  readonly standIn: StandIn;
  readonly differing: readonly unknown[];
  readonly tried: number;
}

class PackageCall {
  readonly #called: Callable;
  readonly #apply: (args: readonly unknown[]) => unknown;

  constructor(called: Callable, apply: (args: readonly unknown[]) => unknown) {
    this.#called = called;
    this.#apply = apply;
  }

  /** @param split The cases that were already distinguished. */
  run(args: readonly unknown[], split: ReadonlySet<string> = new Set()): unknown {
    const standIns = isHook(this.#called) || isRewritten(this.#called) ? [] : standInsIn(args);
    if (standIns.length === 0) return this.#apply(args);
    const { findings } = rendering();
    const before = findings.length;
    const outcome = this.#attempt(() => this.#apply(asStrings(args)));
    const mismatch = findings.length > before ? undefined : this.#mismatch(args, standIns, outcome);
    if (mismatch) return this.#distinguish(args, mismatch, split);
    if ("result" in outcome) return outcome.result;
    if (findings.length > before) return REFUSED;
    throw outcome.thrown;
  }

  #attempt(work: () => unknown): Outcome {
    try {
      return { result: work() };
    } catch (thrown) {
      if (isObject(thrown) && "then" in thrown) throw thrown; // React waits for it
      return { thrown };
    }
  }

  /** The variable that the function computes with, preferably one with which it does so for some values only. */
  #mismatch(args: readonly unknown[], standIns: readonly StandIn[], outcome: Outcome): Mismatch | undefined {
    const code = Function.prototype.toString.call(this.#called);
    const probes = probesOfAll(standIns, code);
    const usual = usualOf(probes);
    const mismatches = [...probes].map(([standIn, tried]): Mismatch => {
      const differing = tried.filter((probe) =>
        this.#differs(args, new Map([...usual, [standIn.key, probe]]), outcome),
      );
      return { standIn, differing, tried: tried.length };
    });
    const relevant = mismatches.filter(({ differing }) => differing.length > 0);
    return relevant.find(({ differing, tried }) => differing.length < tried) ?? relevant[0];
  }

  /** A value with which the function throws is not a valid value for it. */
  #differs(args: readonly unknown[], values: Values, outcome: Outcome): boolean {
    const real = this.#attempt(() => this.#apply(replaceIn(args, values)));
    if ("thrown" in real) return false;
    try {
      return "thrown" in outcome || !isSame(replaceIn(outcome.result, values), real.result);
    } catch {
      return true; // objects that lead back to themselves
    }
  }

  /** The cases in which the function returns a different result, if there are few; otherwise the call is refused. */
  #distinguish(args: readonly unknown[], { standIn, differing }: Mismatch, split: ReadonlySet<string>): unknown {
    const { symbolic, value, key } = standIn;
    // If it throws, there is no email.
    const withValue = (real: unknown): unknown => {
      const outcome = this.#attempt(() => this.run(replaceIn(args, new Map([[key, real]])), split));
      return "result" in outcome ? outcome.result : undefined;
    };
    const isNew = (question: string): boolean => !split.has(`${question} ${key}`);
    const others = (question: string): unknown => this.run(args, new Set([...split, `${question} ${key}`]));
    if (!this.#distinguishesNull(args, standIn)) {
      const nothing = symbolic.kind === "path" && !symbolic.optional ? null : undefined;
      const literals = symbolic.kind === "path" && literalsOf(symbolic)?.filter(isScalar);
      if (literals) {
        const cases = literals.map((each) => [each, withValue(each)] as const);
        const last = maybeMissing(symbolic) ? withValue(nothing) : cases.pop()?.[1];
        return byValue(symbolic, cases, last);
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
    return refuse(symbolic, "is computed by a package");
  }

  /** Whether the function distinguishes null from undefined, which Mustache can't. */
  #distinguishesNull(args: readonly unknown[], { symbolic, key }: StandIn): boolean {
    if (symbolic.kind !== "path" || !symbolic.optional || !kindsOf(symbolic).has("null")) return false;
    const [ofNull, ofUndefined] = [null, undefined].map((each) =>
      this.#attempt(() => this.#apply(replaceIn(args, new Map([[key, each]])))),
    );
    return !isSame(ofNull, ofUndefined);
  }
}

function isScalar(value: unknown): value is string | number | boolean {
  return ["string", "number", "boolean"].includes(typeof value);
}

/** React counts their calls. */
function isHook({ name }: Callable): boolean {
  return /^use(?:[A-Z]|$)/.test(name);
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
