import type { ResultKind } from "../../../mustache/expression/results.js";
import {
  type Computation,
  type Expression,
  indexIn,
  innermostLoop,
  isComputedKey,
  type ListLoop,
  mayBeNothing,
  mayHaveNoResult,
  operandsOf,
  type PackageExpression,
  type VariableExpression,
} from "../runtime/expression.js";
import type { SourceRange } from "../runtime/symbolic.js";
import { accessAt, type AccessCode } from "./derived-access.js";
import {
  type Additions,
  additionsTo,
  isEmpty,
  type ItemAdditions,
  itemsOfList,
  type Member,
  objectIn,
} from "./additions.js";
import type { ContextMember, DerivedCode } from "./derive-place.js";
import { insertion, type SourceEdit } from "./edits.js";
import { importOf, type NameImport } from "./imports.js";
import type { ProjectModules } from "./modules.js";
import { printExpression } from "./print-expression.js";
import { iteratedListAt } from "./scope.js";

/** The code to write where a component computes something. */
export interface Substitution {
  readonly text: string;
  readonly edits: readonly SourceEdit[];
  readonly uses?: AccessCode["uses"];
}

export interface DerivedOptions {
  readonly modules: ProjectModules;
  readonly computations: readonly Computation[];
  /** Whether a name is taken by one of the component's props. */
  readonly isTaken: (name: string) => boolean;
  /** The code that refers to all variables. */
  readonly root: string;
  /** Whether `variables.ts` can have an import. */
  readonly canImport: (needed: NameImport) => boolean;
  /** The code that refers to a member of what `derive` receives as its second argument. */
  readonly context: (member: ContextMember) => string;
}

const SUFFIXES: Partial<Readonly<Record<ResultKind, string>>> = { text: "Text", flag: "Flag", list: "List" };

/** Everything that `derive` must return for a template, each value once, in a place that the component can read. */
export class DerivedVariables {
  readonly #options: DerivedOptions;
  readonly #root: Additions;
  readonly #byKey: ReadonlyMap<string, Computation>;
  readonly #members = new Map<string, Member | undefined>();
  readonly #placed = new Map<string, Substitution | undefined>();
  readonly #imports = new Map<string, NameImport>();
  readonly #context = new Set<ContextMember>();

  constructor(options: DerivedOptions) {
    this.#options = options;
    this.#root = additionsTo(options.root);
    this.#byKey = new Map(options.computations.map((computation) => [computation.key, computation]));
  }

  get isEmpty(): boolean {
    return isEmpty(this.#root);
  }

  get names(): string[] {
    return [...this.#root.members.keys(), ...this.#root.objects.keys(), ...this.#root.lists.keys()];
  }

  /** Adds a computation to `derive`; undefined if the component has no way to read it. */
  substitute(computation: Computation): Substitution | undefined {
    const { key } = computation;
    if (!this.#placed.has(key)) {
      this.#placed.set(key, undefined); // Prevents endless recursion.
      this.#placed.set(key, this.#substitute(computation));
    }
    return this.#placed.get(key);
  }

  get code(): DerivedCode {
    return {
      additions: this.#root,
      imports: [...this.#imports.values()],
      context: this.#context,
    };
  }

  #substitute(computation: Computation): Substitution | undefined {
    const { key, expression, site, result } = computation;
    const { modules } = this.#options;
    const reach = site && accessAt(site, expression, modules);
    if (!site || !reach) return undefined;
    const edits: SourceEdit[] = [];
    const listed = reach.loop && this.#itemsOf(reach.loop, site, edits);
    if (reach.loop && !listed) return undefined;
    const code = this.#codeOf(expression, site);
    const additions =
      code === undefined ? undefined : this.#within(reach.holder, expression, listed?.additions ?? this.#root);
    if (code === undefined || !additions) return undefined;
    const name = this.#nameOf(expression, result, { additions, code, isOfValues: reach.loop?.isOfValues === true });
    const member = additions.members.get(name) ?? { code };
    additions.members.set(name, member);
    this.#members.set(key, member);
    const isOptional = mayBeNothing(expression) || mayHaveNoResult(expression);
    const read = reach.read(name, typeOf(result) + (isOptional ? " | undefined" : ""));
    const { file, start, end } = site;
    const text = withCallback(site, read.text, modules);
    const chained = isOptional ? continuedChain(site, modules) : [];
    return {
      text,
      edits: [...edits, { file, start, end, text }, ...chained, ...read.edits],
      ...(read.uses && { uses: read.uses }),
    };
  }

  #codeOf(expression: Expression, site: SourceRange): string | undefined {
    let isKnown = true;
    const itemsOf = (loop: ListLoop): ItemAdditions | undefined => {
      const items = this.#itemsOf(loop, site, []);
      isKnown &&= items !== undefined;
      return items;
    };
    const { root } = this.#options;
    const imported = (of: PackageExpression): string => {
      const needed = importOf(of);
      if (this.#options.canImport(needed)) this.#imports.set(needed.local, needed);
      else isKnown = false;
      return of.local;
    };
    const context = (member: ContextMember): string => {
      this.#context.add(member);
      return this.#options.context(member);
    };
    const item = (loop: ListLoop): string => itemsOf(loop)?.item ?? "item";
    const index = (loop: ListLoop): string => itemsOf(loop)?.index ?? "index";
    const code = printExpression(expression, { root, item, index, imported, context });
    return isKnown ? code : undefined;
  }

  /** Additions to the items of a list. In a list of strings or numbers, the items become objects in another list. */
  #itemsOf(loop: ListLoop, site: SourceRange, edits: SourceEdit[]): ItemAdditions | undefined {
    const { list, isOfValues } = loop;
    const [first = "", ...rest] = list.names;
    if (isComputedKey(first)) {
      const computed = this.#byKey.get(first);
      if (rest.length > 0 || !computed || !this.substitute(computed)) return undefined;
      const member = this.#members.get(first);
      if (member) member.items ??= itemsOfList(member.code, loop, this.#holding(loop));
      return member?.items;
    }
    const holder = this.#holder(list, site);
    if (!holder) return undefined;
    const around = list.names.slice(0, -1);
    const additions = around.reduce((outer, step) => objectIn(outer, step, list.mayBeMissing), holder);
    const name = list.names.at(-1) ?? "";
    const path = `${additions.path}.${name}`;
    if (!isOfValues) {
      const items = additions.lists.get(name) ?? itemsOfList(path, loop, additions);
      additions.lists.set(name, items);
      return items;
    }
    return this.#valuesOf(loop, { site, edits, path });
  }

  #valuesOf(
    loop: ListLoop,
    { site, edits, path }: { site: SourceRange; edits: SourceEdit[]; path: string },
  ): ItemAdditions | undefined {
    const { list } = loop;
    const at = iteratedListAt(site, this.#options.modules);
    const reach = at && accessAt(at, { kind: "variable", ...list }, this.#options.modules);
    if (!at || !reach) return undefined;
    const holder = reach.loop ? this.#itemsOf(reach.loop, at, [])?.additions : this.#root;
    const additions = holder && this.#within(reach.holder, { kind: "variable", ...list }, holder);
    if (!additions) return undefined;
    const base = `${camelCase(reach.loop || reach.holder.length > 0 ? list.names.slice(-1) : list.names)}Items`;
    const name = this.#free(base, path, additions);
    const member = additions.members.get(name) ?? { code: path, items: itemsOfList(path, loop, additions) };
    additions.members.set(name, member);
    const read = reach.read(name, "unknown[]");
    edits.push({ ...at, text: read.text }, ...read.edits);
    return member.items;
  }

  /** Additions to the object that contains a list. */
  #holder({ loop }: ListLoop["list"], site: SourceRange): Additions | undefined {
    return loop ? this.#itemsOf(loop, site, [])?.additions : this.#root;
  }

  #holding({ list }: ListLoop): Additions {
    return (list.loop && this.#holder(list, { file: "", start: 0, end: 0 })) ?? this.#root;
  }

  #within(holder: readonly string[], expression: Expression, from: Additions): Additions | undefined {
    if (holder.some((name) => name.startsWith("["))) return undefined;
    const mayBeMissing = mayBeNothing(expression);
    return holder.reduce((additions, name) => objectIn(additions, name, mayBeMissing), from);
  }

  #nameOf(
    expression: Expression,
    result: ResultKind,
    { additions, code, isOfValues }: { additions: Additions; code: string; isOfValues: boolean },
  ): string {
    const position = positionIn(expression);
    const variable = namedVariable(expression);
    const names = variable?.names.filter((name) => !isComputedKey(name)) ?? [];
    const isOfItem = variable?.loop !== undefined || additions !== this.#root;
    const own = names.length > 0 ? names : isOfValues ? ["item"] : (variable?.loop?.list.names.slice(-1) ?? []);
    const base = camelCase(isOfItem ? own.slice(-1) : own);
    const isNumber = position && !variable;
    const suffix = SUFFIXES[result] ?? "Value";
    const name = isNumber ? (/^\w+ \+ 1$/.test(code) ? "itemNumber" : "itemPosition") : `${base || "derived"}${suffix}`;
    return this.#free(name, code, additions);
  }

  #free(name: string, code: string, { members }: Additions): string {
    const { modules, isTaken } = this.#options;
    for (let number = 1; ; number += 1) {
      const free = number === 1 ? name : `${name}${number}`;
      const known = members.get(free);
      if (known ? known.code === code : !modules.has(free) && !isTaken(free)) return free;
    }
  }
}

const TYPES: Partial<Readonly<Record<ResultKind, string>>> = { number: "number", flag: "boolean", list: "unknown[]" };

function typeOf(result: ResultKind): string {
  return TYPES[result] ?? "string";
}

/** `Array.from({ length: stars }, (_, index) => …)`: the function is called for each item of the list. */
function withCallback({ file, start, end }: SourceRange, text: string, modules: ProjectModules): string {
  const callback = callbackOf({ file, start, end }, modules);
  return callback === undefined ? text : `${text}.map(${callback})`;
}

/** `note?.trim()` in `note?.trim().length`: the rest of the chain must still short-circuit. */
function continuedChain({ file, start, end }: SourceRange, modules: ProjectModules): SourceEdit[] {
  const code = modules.module(file)?.code ?? "";
  const [space] = /^\s*(?=\.[\p{L}_$])/u.exec(code.slice(end)) ?? [];
  if (space === undefined || !code.slice(start, end).includes("?.")) return [];
  return [insertion(file, end + space.length, "?")];
}

function callbackOf({ file, start, end }: SourceRange, modules: ProjectModules): string | undefined {
  const code = modules.module(file)?.code.slice(start, end) ?? "";
  const match = /^Array\.from\(\s*\{\s*length\b[^{}]*\},\s*(?<callback>[^]*)\)$/.exec(code);
  return match?.groups?.["callback"]?.replace(/,\s*$/, "");
}

/** The variable that a result is named after: the first operand, of the innermost list. */
function namedVariable(expression: Expression): VariableExpression | undefined {
  const loop = innermostLoop(expression);
  const variables = variablesIn(expression);
  const isInnermost = ({ loop: own }: VariableExpression): boolean => typeof loop !== "object" || own?.id === loop.id;
  return variables.find((variable) => isInnermost(variable)) ?? variables[0];
}

/** Variables by importance: a formatter's argument comes before those of its constructor. */
function variablesIn(expression: Expression): VariableExpression[] {
  if (expression.kind === "variable") return [expression];
  if (expression.kind !== "call") return operandsOf(expression).flatMap(variablesIn);
  const { callee, args } = expression;
  const isFormatter = callee.kind === "member" && callee.of.kind === "call" && callee.of.isNew === true;
  const passed = args.flatMap(variablesIn);
  const called = variablesIn(callee);
  return isFormatter ? [...passed, ...called] : [...called, ...passed];
}

function positionIn(expression: Expression): boolean {
  return expression.kind === "position" || operandsOf(expression).some(positionIn);
}

/** An identifier: `linesFirstName` for `lines[0].name`. */
function camelCase(names: readonly string[]): string {
  const words = names.flatMap((name) => wordOf(name).split(/[^\p{L}\p{N}_$]+/u)).filter((word) => word !== "");
  return words.map((word, index) => (index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1))).join("");
}

function wordOf(step: string): string {
  const index = indexIn(step);
  if (index === undefined) return step.replace(/^\[|\]$/g, "");
  return index === 0 ? "first" : index === -1 ? "last" : `item ${index}`;
}
