import { byValue, lift } from "./choices.js";
import { isRewritten } from "./elements.js";
import { kindsOf, literalsOf, maybeMissing } from "./kinds.js";
import { binary } from "./operators.js";
import { probesOfAll, usualOf } from "./probes.js";
import { branch, falsyValue } from "./questions.js";
import { isPlain } from "./react-values.js";
import { REFUSED, refuse } from "./refusal.js";
import { rendering } from "./rendering.js";
import { isSame } from "./same.js";
import { asTexts, replaceIn, type StandIn, standInsIn, type Values } from "./stand-ins.js";
import { isObject, represented } from "./symbolic.js";

type Callable = (...parameters: unknown[]) => unknown;

/**
 * Calls a function that a package brought. Its code can't do with choices, so it is called for each case. What it does with
 * a variable can't be seen, so it is called with real values too: where one of them gives something else than the variable's
 * tag filled in, the function computes with it.
 */
export function callPackage(called: Callable, self: unknown, given: readonly unknown[]): unknown {
  const { site } = rendering(); // which candidates leave
  const call = new PackageCall(called, (each) => {
    rendering().site = site;
    return Reflect.apply(called, self, each);
  });
  return liftInto(given, (each) => call.run(each));
}

/** What came of a call. */
type Outcome = { readonly result: unknown } | { readonly thrown: unknown };

/** A variable whose tag filled in is not what some of its values give. */
interface Mismatch {
  readonly standIn: StandIn;
  readonly differing: readonly unknown[];
  readonly tried: number;
}

class PackageCall {
  readonly #called: Callable;
  readonly #apply: (given: readonly unknown[]) => unknown;

  constructor(called: Callable, apply: (given: readonly unknown[]) => unknown) {
    this.#called = called;
    this.#apply = apply;
  }

  /** @param split What was told apart of the variables before. */
  run(given: readonly unknown[], split: ReadonlySet<string> = new Set()): unknown {
    const standIns = isHook(this.#called) || isRewritten(this.#called) ? [] : standInsIn(given);
    if (standIns.length === 0) return this.#apply(given);
    const { findings } = rendering();
    const before = findings.length;
    const outcome = this.#attempt(() => this.#apply(asTexts(given)));
    const mismatch = findings.length > before ? undefined : this.#mismatch(given, standIns, outcome);
    if (mismatch) return this.#tellApart(given, mismatch, split);
    if ("result" in outcome) return outcome.result;
    if (findings.length > before) return REFUSED;
    throw outcome.thrown;
  }

  #attempt(work: () => unknown): Outcome {
    try {
      return { result: work() };
    } catch (thrown) {
      if (isObject(thrown) && "then" in thrown) throw thrown; // what React waits for
      return { thrown };
    }
  }

  /** The variable that the function computes with; one that it does so with for some values only, if there is one. */
  #mismatch(given: readonly unknown[], standIns: readonly StandIn[], outcome: Outcome): Mismatch | undefined {
    const code = Function.prototype.toString.call(this.#called);
    const probes = probesOfAll(standIns, code);
    const usual = usualOf(probes);
    const mismatches = [...probes].map(([standIn, tried]): Mismatch => {
      const differing = tried.filter((probe) =>
        this.#differs(given, new Map([...usual, [standIn.key, probe]]), outcome),
      );
      return { standIn, differing, tried: tried.length };
    });
    const found = mismatches.filter(({ differing }) => differing.length > 0);
    return found.find(({ differing, tried }) => differing.length < tried) ?? found[0];
  }

  /** A value with which the function throws is none that it is for. */
  #differs(given: readonly unknown[], values: Values, outcome: Outcome): boolean {
    const real = this.#attempt(() => this.#apply(replaceIn(given, values)));
    if ("thrown" in real) return false;
    try {
      return "thrown" in outcome || !isSame(replaceIn(outcome.result, values), real.result);
    } catch {
      return true; // objects that lead back to themselves
    }
  }

  /** The cases in which the function gives something of its own, where they are few; otherwise it is refused. */
  #tellApart(given: readonly unknown[], { standIn, differing }: Mismatch, split: ReadonlySet<string>): unknown {
    const { symbolic, value, key } = standIn;
    // Where it throws, no email comes of it.
    const withValue = (real: unknown): unknown => {
      const outcome = this.#attempt(() => this.run(replaceIn(given, new Map([[key, real]])), split));
      return "result" in outcome ? outcome.result : undefined;
    };
    const isNew = (question: string): boolean => !split.has(`${question} ${key}`);
    const otherwise = (question: string): unknown => this.run(given, new Set([...split, `${question} ${key}`]));
    if (!this.#tellsNullFromUndefined(given, standIn)) {
      const nothing = symbolic.kind === "path" && !symbolic.optional ? null : undefined;
      const literals = symbolic.kind === "path" && literalsOf(symbolic)?.filter(isScalar);
      if (literals) {
        const cases = literals.map((each) => [each, withValue(each)] as const);
        const last = maybeMissing(symbolic) ? withValue(nothing) : cases.pop()?.[1];
        return byValue(symbolic, cases, last);
      }
      const isOfFew = differing.every((each) => !each || each === 1);
      const isOfOne = isOfFew && differing.every(Boolean);
      if (isOfOne && isNew("one")) {
        const isOne = binary("===", value, 1, () => false);
        return branch(
          isOne,
          () => withValue(1),
          () => otherwise("one"),
        );
      }
      if (isOfFew && !isOfOne && isNew("truthy")) {
        return branch(
          value,
          () => otherwise("truthy"),
          () => lift(falsyValue(value), (each) => withValue(each ?? nothing)),
        );
      }
    }
    return refuse(symbolic, "is computed by a package");
  }

  /** Mustache can't. */
  #tellsNullFromUndefined(given: readonly unknown[], { symbolic, key }: StandIn): boolean {
    if (symbolic.kind !== "path" || !symbolic.optional || !kindsOf(symbolic).has("null")) return false;
    const [ofNull, ofUndefined] = [null, undefined].map((each) =>
      this.#attempt(() => this.#apply(replaceIn(given, new Map([[key, each]])))),
    );
    return !isSame(ofNull, ofUndefined);
  }
}

function isScalar(value: unknown): value is string | number | boolean {
  return ["string", "number", "boolean"].includes(typeof value);
}

/** React counts how often they are called. */
function isHook({ name }: Callable): boolean {
  return /^use(?:[A-Z]|$)/.test(name);
}

/** Does something with values; with choices among them, or in lists and objects among them, with each of the cases. */
function liftInto(given: readonly unknown[], work: (given: readonly unknown[]) => unknown, from = 0): unknown {
  const index = given.findIndex(
    (value, at) => at >= from && (represented(value)?.kind === "choice" || isHolder(value)),
  );
  if (index < 0) return work(given);
  const value = given[index];
  const next = (one: unknown): unknown => liftInto(given.with(index, one), work, index + 1);
  if (Array.isArray(value)) return liftInto(value, next);
  if (!isPlain(value)) return lift(value, (each) => liftInto(given.with(index, each), work, index));
  const names = Object.keys(value);
  return liftInto(Object.values(value), (each) => next(Object.fromEntries(names.map((name, at) => [name, each[at]]))));
}

function isHolder(value: unknown): boolean {
  return Array.isArray(value) || isPlain(value);
}
