import { joinParts, SpreadPart } from "./arrays.js";
import { attempt } from "./attempts.js";
import "./branches.js";
import { callee, constructed, methodAt, packageCallee, packageReceiver, receiver } from "./calls.js";
import { carrying, countUp, forOf } from "./carried.js";
import { assigned } from "./changes.js";
import { fork, lift, recordThrown } from "./choices.js";
import { registerOwn, withPosition } from "./components.js";
import { printable, recordSetup } from "./computed.js";
import { resolveElement, spread, usedInElement } from "./elements.js";
import { SpreadArgument } from "./expressions.js";
import { copyOfIterable } from "./list-methods.js";
import { destructure, keyedObject, lookUpMember, mergeObjects, optionalHolder } from "./member-access.js";
import { and, binary, branch, decide, fallback, increment, not, nullish, numeric, or, unary } from "./operators.js";
import { type ImportedValues, packageUses } from "./package-uses.js";
import { memberHolder } from "./paths.js";
import { made, refuse, rendering } from "./rendering.js";
import { appendingTo, lengthOf, LOOP_HINTS, USE_ONE_MAP_EACH } from "./rows.js";
import { compactString, concatenate, rawHtml, stringOf, symbolicOf } from "./strings.js";
import { type AnyFunction, represented } from "./symbolic.js";

type Thunk = () => unknown;
type Native = (value: unknown) => unknown;
type Values = readonly unknown[];
type Variables = Readonly<Record<string, unknown>>;

export type ModuleRuntime = ReturnType<typeof createModuleRuntime>;

/**
 * The functions that a rewritten module calls instead of JavaScript's operators: the vocabulary of `rewrite/`. Each behaves
 * exactly like the operator unless an operand is symbolic. Most begin with the range of the source that they represent.
 */
export function createModuleRuntime(file: string) {
  const visit = (start: number, end: number): void => {
    rendering().site = { file, start, end };
  };

  const scopeKey = (id: number): string => `${file} ${id}`;

  const at =
    <Args extends unknown[], Result>(operation: (...args: Args) => Result) =>
    (start: number, end: number, ...args: Args): Result => {
      visit(start, end);
      return operation(...args);
    };

  return {
    /** `left && right` */
    and: at(and),
    /** `left || right` */
    or: at(or),
    /** `left ?? right` */
    nullish: at(nullish),
    /** The default of a parameter or of a destructured name. */
    fallback: at(fallback),
    /** `condition ? yes : no` */
    when: at(branch),
    /** `!value` */
    not: at(not),
    binary: at(binary),
    unary: at(unary),
    /** `++value`, `--value` */
    increment: at(increment),
    /** The value of `variable++`, after it was incremented. */
    before: at((value: unknown, _after: unknown) => numeric(value)),
    /** `typeof name`, where the name may not be defined. */
    typeOf: at((name: string, value: Thunk, native: Native) =>
      name === "undefined" ? name : unary("typeof", value(), native),
    ),
    /** `` `…${value}…` ``, as a tag. */
    text:
      (start: number, end: number) =>
      (strings: TemplateStringsArray, ...values: Values): unknown => {
        visit(start, end);
        const printed = values.map((value) => printable(value));
        return concatenate(strings.flatMap((part, index) => (index === 0 ? [part] : [printed[index - 1], part])));
      },

    /** The condition of an `if`, within a body that `fork` runs. */
    test: at(decide),
    /** An `if` that only assigns these variables; returns their values after it. */
    assign: at(
      (condition: unknown, before: Values, yes: (before: Values) => unknown, no: (before: Values) => unknown) => {
        const after = branch(
          condition,
          () => yes(before),
          () => no(before),
        );
        return before.map((_, index) =>
          compactString(lift(after, (values) => (Array.isArray(values) ? values[index] : undefined))),
        );
      },
    ),
    /** The index of the `switch` case that the value matches; -1 if there is none. */
    match: (start: number, end: number, value: unknown, cases: readonly Thunk[], forks: boolean): number =>
      cases.findIndex((each) => {
        const is = binary("===", value, each(), (a, b) => a === b);
        visit(start, end);
        return forks ? decide(is) : Boolean(unforked(is));
      }),
    /** The body of a function with branching statements. */
    fork,
    /** A `try` and a `catch` that return values. */
    attempt: at((scope: number, work: Thunk, otherwise: Thunk) => attempt(scopeKey(scope), work, otherwise)),
    /** The value in `throw value`. */
    thrown: at(recordThrown),
    /** Any other `try` with a `catch`. */
    enterTry: (): void => void (rendering().tries += 1),
    leaveTry: (): void => void (rendering().tries -= 1),
    /** A condition in a function that can't run once for each case. */
    unforked: at(unforked),
    /** The condition of a loop. */
    loop: at(loopCondition),

    /** A value that must not be symbolic here; `problem` says why. */
    concrete: at((value: unknown, problem: string) => concrete(value, problem)),
    /** The value in `Math.max(...value)` and `list.push(...value)`. */
    whole: at((value: unknown) => (symbolicOf(value) ? [new SpreadArgument(value)] : value)),
    /** The path of a computed `import(path)`. */
    importPath: at((path: unknown) =>
      concrete(path, "is the path of an import", "Import each module by its path, and choose between them."),
    ),

    /** A value that is destructured as a list of `count` names; with `rest`, the last one takes the rest. */
    destructure: at(destructure),
    /** `[...value]` */
    copied: at((value: unknown, native: Native) =>
      // One of several cases may be missing: an email with it would not be rendered.
      lift(value, (each) =>
        each === undefined && each !== value ? made([]) : (copyOfIterable(each) ?? made(native(iterated(each)))),
      ),
    ),
    /** The value of `...` next to other items in a list; a symbolic one is left to `joined`. */
    part: at((value: unknown) => (symbolicOf(value) ? [new SpreadPart(value)] : value)),
    /** `[a, b]`, `{ a }` */
    made,
    /** `[a, ...part(b)]` */
    joined(start: number, end: number, items: Values): unknown {
      if (!items.some((item) => item instanceof SpreadPart)) return made(items);
      visit(start, end);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- JavaScript throws for what is not iterable
      return joinParts(items, (value) => iterated(value) as Iterable<unknown>);
    },
    /** The value of `...` in a call. */
    iterate: at(iterated),
    /** The list of a `for … of` loop that does more than add to one list. */
    iterateInLoop: at(iteratedInLoop),
    /** A function that pushes a row for each item to a list, possibly depending on its statements. */
    appending: appendingTo,
    /** A function that assigns variables of the code around it; `sites` has their first assignments. */
    carrying: (
      id: number,
      around: readonly number[],
      sites: Readonly<Record<string, readonly [start: number, end: number]>>,
      read: () => Variables,
      write: (values: Variables) => void,
      work: AnyFunction,
    ) => {
      const places = Object.entries(sites).map(([name, [start, end]]) => [name, { file, start, end }]);
      const loop = { sites: Object.fromEntries(places), read, write, work, scope: scopeKey(id) };
      return carrying(loop, around.map(scopeKey));
    },
    /** `for (const item of list) work(item)`, with a function that appends or carries. */
    forEach: at((list: Iterable<unknown>, work: (item: unknown) => unknown) => {
      if (!symbolicOf(list)) for (const item of list) work(item);
      else if (!forOf(list, work)) iteratedInLoop(list, "does more");
    }),
    /** `for (let i = from; i < limit; i++) work(i)`, with such a function. */
    count: at(count),

    /** `object[key]` */
    lookUp: at(lookUpMember),
    /** The object in `object.name`. */
    holder: (start: number, end: number, object: unknown, name: string): unknown =>
      represented(object)?.kind === "path" ? memberHolder(object, name, { file, start, end }) : object,
    /** The object in `object?.name`. */
    optionalHolder: at(optionalHolder),
    /** `value.length`, `value?.length` */
    length: at(lengthOf),
    /** `{ ...a, [b]: c }`, as a list of parts. */
    merge: at(mergeObjects),
    /** `{ [key]: value }` */
    entry: at(keyedObject),
    /** The object in `object.name = …`; with `isNamed`, `name` is in the code. */
    target: at(assigned),
    /** The key in `object[key] = …`. */
    memberName: at((key: unknown) => {
      const name = symbolicOf(key) ? stringOf(key) : key;
      return represented(name) ? concrete(name, NAME) : name;
    }),

    /** The object in `object.name(…)`. */
    receiver: at(receiver),
    /** The same if the object is an import from a package. */
    packageReceiver: at(packageReceiver),
    /** The method in `object[key](…)`. */
    method: at(methodAt),
    /** The function in `name(…)`. */
    callee: at(callee),
    /** The same if it is an import from a package. */
    imported: at(packageCallee),
    /** The class in `new Name(…)`. */
    constructed: at(constructed),

    /** A value among an element's children or properties. */
    sighted: at(usedInElement),
    /** The value in `<a {...value}>`. */
    spread: at(spread),
    /** The value of `__html`. */
    html: at(rawHtml),
    element: at((element: unknown) => resolveElement(element)),
    /** What the module imports from packages. */
    imports: (imports: readonly ImportedValues[]): void => packageUses().add(imports),
    /** A statement of the module that changes an imported package when the module is loaded. */
    setup: at((library: unknown, isCall: boolean, _result: unknown) => recordSetup(library, isCall)),

    /** An element that gets its source position. */
    positioned: (start: number, end: number, value: unknown): unknown => withPosition(value, { file, start, end }),

    /** In a function that assigns variables of these enclosing functions; 0 is the module. */
    assignsOuter: at((scopes: readonly number[]) => {
      for (const scope of scopes) rendering().recordMutation(scopeKey(scope));
    }),
    /** In a function whose variables are assigned by nested functions. */
    enters: (scope: number): void => rendering().recordCreation(scopeKey(scope)),
    /** The functions and components of this module. */
    own(...values: unknown[]): unknown {
      registerOwn(values);
      return values[0];
    },
  };
}

/** What the components of `lettershop/react` call, which have no source position. */
export const PACKAGE_RUNTIME = { when: branch, receiver, html: rawHtml };

/** A value that must not be symbolic, because the operation on it can only be done once: a symbolic one is refused. */
function concrete(value: unknown, problem: string, hint?: string): unknown {
  const symbolic = symbolicOf(value);
  return symbolic ? refuse(symbolic, problem, hint === undefined ? {} : { hint }) : value;
}

const NAME = "is the name of a member";

function unforked(value: unknown): unknown {
  return concrete(
    value,
    "decides which code runs, in a function that can't run once for each case",
    "Write it as `condition ? a : b`, or decide in a function that isn't async and changes only its own variables.",
  );
}

function loopCondition(condition: unknown): unknown {
  const symbolic = symbolicOf(condition);
  if (!symbolic) return condition;
  const isByLength = symbolic.kind === "choice" && symbolic.test.question.kind.startsWith("has-");
  const hint = isByLength
    ? "Iterate the list itself: items.map((item, index) => …)."
    : "Create the list in derive (variables.ts), for a number with Array.from({ length: variables.count }, (_, index) => index + 1), and use .map.";
  refuse(symbolic, "decides how often a loop runs", { hint });
  return false;
}

type Comparison = "<" | "<=";

function count(from: number, operator: Comparison, limit: () => number, work: AnyFunction): void {
  for (let number = from; ; number++) {
    const end = limit();
    if (symbolicOf(number) || symbolicOf(end)) {
      const isPossible = number === from && countUp(number, operator, end, work);
      if (!isPossible) loopCondition(binary(operator, number, end, () => false));
      return;
    }
    if (operator === "<" ? !(number < end) : !(number <= end)) return;
    work(number);
  }
}

function iterated(value: unknown): unknown {
  return concrete(value, "iterates a list item by item", USE_ONE_MAP_EACH);
}

function iteratedInLoop(value: unknown, why: keyof typeof LOOP_HINTS): unknown {
  const problem = why === "takes members" ? "iterates an object's members" : "iterates a list item by item";
  return concrete(value, problem, LOOP_HINTS[why]);
}
