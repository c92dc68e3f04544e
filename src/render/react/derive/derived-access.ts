import type { ESTree } from "../../../process/rolldown.js";
import { type FunctionNode, isFunction } from "../ast.js";
import {
  type Expression,
  innermostLoop,
  type ListLoop,
  type VariableExpression,
  variablesIn,
} from "../runtime/expression.js";
import type { SourceRange } from "../runtime/symbolic.js";
import { insertion, type SourceEdit, typeOfItem } from "./edits.js";
import {
  ancestorsOf,
  annotationOf,
  type CallSite,
  callSitesOf,
  nameOfFunction,
  type NameReference,
  parameterOf,
  type ParsedModule,
  type ProjectModules,
  referencesIn,
} from "./modules.js";
import {
  bindingOf,
  initialValueOf,
  isOfEachItem,
  itemOfCallback,
  type NameBinding,
  patternBinding,
  receivesVariables,
} from "./scope.js";

/** Where a component can read a derived variable. */
export interface DerivedAccess {
  /** The loop whose item has the variable, or has the object that contains it. */
  readonly loop: ListLoop | undefined;
  /** The path from the item, or from the top-level variables, to the containing object. */
  readonly holder: readonly string[];
  /** Returns the code that reads it instead of computing it, and the necessary changes. */
  readonly read: (name: string, type: string) => AccessCode;
}

export interface AccessCode {
  readonly text: string;
  readonly edits: readonly SourceEdit[];
  /** All uses of the function that receives the result, and those where it receives this one. */
  readonly uses?: {
    readonly all: readonly string[];
    /** The places, with the argument passed there. */
    readonly served: readonly (readonly [place: string, text: string])[];
  };
}

/**
 * Where the code at a site can read variables derived from those of an expression: in the template's component, at the top
 * level; in a `.map` callback, on the item; in any other function, next to a variable that it reads.
 *
 * @param origin The site of the computation, if this is the site of a call that it needs.
 * @returns Undefined if none of these is possible.
 */
export function accessAt(
  site: SourceRange,
  expression: Expression,
  modules: ProjectModules,
  origin: SourceRange = site,
): DerivedAccess | undefined {
  const module = modules.module(site.file);
  const around = module ? ancestorsOf(module.program, site) : [];
  const loop = innermostLoop(expression);
  const [node] = around;
  // What React computes for an element, such as its style, has no expression of its own.
  if (!module || !node || !isExpression(node) || loop === "apart") return undefined;
  const place: CodeLocation = { module, node, around, expression, loop, origin };
  return (
    (loop ? throughItem(place, loop) : throughProps(place)) ??
    throughSibling(place, modules) ??
    throughArgument(place, modules)
  );
}

function isExpression({ type }: ESTree.Node): boolean {
  return /(?:Expression|Literal)$|^Identifier$/.test(type);
}

interface CodeLocation {
  readonly module: ParsedModule;
  readonly node: ESTree.Node;
  readonly around: readonly ESTree.Node[];
  readonly expression: Expression;
  readonly loop: ListLoop | undefined;
  readonly origin: SourceRange;
}

/** In the component itself, or in the function that returns the subject. */
function throughProps({ module, around }: CodeLocation): DerivedAccess | undefined {
  const component = around.findLast(isFunction);
  const [parameter] = component?.params ?? [];
  if (!component || !parameter || !receivesVariables(component, module.program)) return undefined;
  return {
    loop: undefined,
    holder: [],
    read: (name) => memberAccess(parameter, name, module),
  };
}

/** In a list method's callback, or in a loop. */
function throughItem(
  { module, node, around, expression, loop }: CodeLocation,
  list: ListLoop,
): DerivedAccess | undefined {
  const variables = variablesIn(expression).filter((variable) => variable.loop?.id === list.id);
  const names = variables.map((variable) => variable.names);
  const origins = referencesIn(node).flatMap((reference) => {
    const binding = bindingOf(reference.name, around);
    if (binding?.kind !== "own" || !isOfEachItem(binding.from, around)) return [];
    const read = [...binding.path, ...reference.read];
    return names.some((own) => own.every((name, depth) => read[depth] === name)) ? [binding.from] : [];
  });
  const [parameter = parameterFor(list, around)] = origins;
  if (!parameter) return undefined;
  if (list.isOfValues)
    return parameter.type === "Identifier" ? throughPrimitiveItem(parameter, list, module) : undefined;
  if (!list.isOfObjects) return undefined;
  return {
    loop,
    holder: [],
    read: (name, type) => {
      const read = memberAccess(parameter, name, module);
      return { ...read, edits: [...read.edits, ...typeOfItem(parameter, [], `${name}: ${type}`, module)] };
    },
  };
}

/** The parameter of the callback for a loop's items: the innermost for a list of that name, or else the innermost. */
function parameterFor({ list }: ListLoop, around: readonly ESTree.Node[]): ESTree.Node | undefined {
  const name = list.names.at(-1) ?? "";
  const callbacks = around.flatMap((node, depth) => {
    const call = around[depth + 1];
    const names =
      call?.type === "CallExpression" ? referencesIn(call.callee).flatMap((each) => [each.name, ...each.read]) : [];
    return itemOfCallback(node, depth, around).map((parameter) => ({ parameter, isOfList: names.includes(name) }));
  });
  return (callbacks.find(({ isOfList }) => isOfList) ?? callbacks[0])?.parameter;
}

/** An item that is not an object becomes one. */
function throughPrimitiveItem(parameter: ESTree.Node, loop: ListLoop, { file, code }: ParsedModule): DerivedAccess {
  const { start } = parameter;
  const item = parameter.type === "Identifier" ? parameter.name : "value";
  const end = Math.max(parameter.end, annotationOf(parameter)?.end ?? 0);
  const isBare = !/^\s*[,)]/.test(code.slice(end));
  return {
    loop,
    holder: [],
    read: (name) => ({
      text: name,
      edits: [
        { file, start, end, text: `value: ${item}`, member: name },
        ...(isBare ? parenthesised(file, start, end) : []),
      ],
    }),
  };
}

/** `item => …` → `(item) => …` */
function parenthesised(file: string, start: number, end: number): SourceEdit[] {
  return [insertion(file, start, "("), insertion(file, end, ")")];
}

/** Next to a variable read there: `order.totalText` next to `order.total`, on any object that the function receives. */
function throughSibling(
  { module, node, around, expression, loop }: CodeLocation,
  modules: ProjectModules,
): DerivedAccess | undefined {
  const variables = variablesIn(expression).filter((variable) => variable.loop?.id === loop?.id);
  for (const reference of referencesIn(node)) {
    const binding = bindingOf(reference.name, around);
    if (binding?.kind !== "own" && binding?.kind !== "received") continue;
    if (
      binding.kind === "own" &&
      receivesLiteral([...binding.path, ...reference.read], binding.from, { module, around, modules })
    )
      continue;
    const reach = variables
      .map((variable) => siblingOf(variable, reference, binding, { module, around, loop }))
      .find(Boolean);
    if (reach) return reach;
  }
  return undefined;
}

/** Whether a function receives an object literal, which has no other members. */
function receivesLiteral(
  whole: readonly string[],
  from: ESTree.Node,
  { module, around, modules }: Pick<CodeLocation, "module" | "around"> & { readonly modules: ProjectModules },
): boolean {
  const called = around.findLast(isFunction);
  const name = called && nameOfFunction(called, module);
  const parameter = called && parameterOf(from, whole, called);
  const uses = name === undefined || !parameter ? undefined : callSitesOf(name, parameter, modules);
  return uses?.some(({ argument }) => argument.type !== "Identifier" && argument.type !== "MemberExpression") ?? false;
}

function siblingOf(
  { names }: VariableExpression,
  { name, read, nodes }: NameReference,
  binding: Exclude<NameBinding, { kind: "other" }>,
  { module, around, loop }: Pick<CodeLocation, "module" | "around" | "loop">,
): DerivedAccess | undefined {
  const whole = [...binding.path, ...read];
  // An argument is a separate object: at least one more name must lead from it to the variable.
  const isGiven = binding.path.length > 0 || binding.kind === "received";
  for (let skipped = 0; skipped < names.length; skipped += 1) {
    const rest = names.slice(skipped);
    for (let from = isGiven ? 1 : 0; from + rest.length <= whole.length; from += 1) {
      if (!rest.every((each, depth) => whole[from + depth] === each)) continue;
      const last = from + rest.length - 1;
      const holder = names.slice(0, -1);
      const depth = last - binding.path.length;
      const parameter = binding.kind === "own" ? binding.from : undefined;
      const typed = (member: string): SourceEdit[] =>
        parameter ? typeOfItem(parameter, whole.slice(0, last), member, module) : [];
      if (depth >= 0) {
        const [member, object] = [nodes[depth + 1], nodes[depth]];
        if (!member || !object) continue;
        const text = module.code.slice(object.start, object.end);
        const reading = (derived: string, type: string) => ({
          text: `${text}.${derived}`,
          edits: typed(`${derived}: ${type}`),
        });
        return { loop, holder, read: reading };
      }
      const pattern = patternBinding(name, around);
      if (!pattern || depth < -1) continue;
      return {
        loop,
        holder,
        read: (derived, type) => {
          const { text, edits } = memberAccess(pattern, derived, module);
          return { text, edits: [...edits, ...typed(`${derived}: ${type}`)] };
        },
      };
    }
  }
  return undefined;
}

/** As an additional argument, if the function receives the values that it computes with. */
function throughArgument(
  { module, node, around, expression, origin }: CodeLocation,
  modules: ProjectModules,
): DerivedAccess | undefined {
  const called = around.findLast(isFunction);
  const name = called && nameOfFunction(called, module);
  if (!called || name === undefined) return undefined;
  for (const reference of referencesIn(node)) {
    const binding = bindingOf(reference.name, around);
    if (binding?.kind !== "own") continue;
    const parameter = parameterOf(binding.from, [...binding.path, ...reference.read], called);
    const uses = parameter && callSitesOf(name, parameter, modules);
    if (!uses || uses.some(({ argument }) => referencesIn(argument).length === 0)) continue;
    const weights = new Map(uses.map((use) => [use, weightOf(use, expression)]));
    const most = Math.max(1, ...weights.values());
    const reaches = uses.flatMap((use) => {
      const { start, end } = use.argument;
      const site = { file: use.module.file, start, end };
      const reach = weights.get(use) === most ? accessAt(site, expression, modules, origin) : undefined;
      return reach ? [{ use, reach }] : [];
    });
    const [first] = reaches;
    if (!first) continue;
    const isComponent = /^\p{Lu}/u.test(name);
    return {
      ...first.reach,
      read: (derived, type) => {
        const passed = modules.nameFor(`${called.start} ${JSON.stringify(origin)}`, baseName(reference.name, derived));
        const read = isComponent
          ? memberAccess(binding.from, passed, module)
          : lastParameter(called, `${passed}: ${type}`, passed, module);
        const typed = isComponent ? typeOfItem(binding.from, [], `${passed}: ${type}`, module) : [];
        const passing = reaches.flatMap(({ use, reach }) => {
          const own = reach.read(derived, type);
          const argument = use.isElement ? ` ${passed}={${own.text}}` : `, ${own.text}`;
          return [...own.edits, insertion(use.module.file, use.end, argument)];
        });
        const served = reaches.map(({ use, reach }) => [keyOf(use), reach.read(derived, type).text] as const);
        return {
          text: read.text,
          edits: [...read.edits, ...typed, ...passing],
          uses: { all: uses.map(keyOf), served },
        };
      },
    };
  }
  return undefined;
}

function keyOf({ module, argument }: CallSite): string {
  return `${module.file}:${argument.start}`;
}

/** A name based on the parameter, whatever the computations' names in the calling code are. */
function baseName(parameter: string, derived: string): string {
  return parameter + (/[A-Z]\p{Ll}+\d*$/u.exec(derived)?.[0].replace(/\d+$/, "") ?? "Text");
}

function lastParameter({ params }: FunctionNode, declared: string, name: string, { file }: ParsedModule): AccessCode {
  const last = params.at(-1);
  const at = last ? Math.max(last.end, annotationOf(last)?.end ?? 0) : 0;
  return { text: name, edits: [insertion(file, at, `, ${declared}`)] };
}

/** The number of an expression's variables that an argument is made of; 0 if it is made of others. */
function weightOf({ module, argument }: CallSite, expression: Expression): number {
  const variables = variablesIn(expression);
  const matched = new Set<VariableExpression>();
  const isMadeOfThem = (node: ESTree.Node, depth: number): boolean => {
    const around = ancestorsOf(module.program, node);
    return referencesIn(node).every(({ name, read }) => {
      const binding = bindingOf(name, around);
      if (binding?.kind === "other") {
        const value = initialValueOf(name, around);
        return !value || (depth < MOST_NAMES && isMadeOfThem(value, depth + 1));
      }
      if (!binding) return true;
      const whole = [...binding.path, ...read];
      const equal = variables.filter((variable) => isSame(variable, whole, binding, around));
      for (const variable of equal) matched.add(variable);
      return equal.length > 0;
    });
  };
  return isMadeOfThem(argument, 0) ? new Set([...matched].map((variable) => JSON.stringify(variable))).size : 0;
}

/** Maximum number of names to follow to their initial values. */
const MOST_NAMES = 8;

/** Whether a variable is the same as what is read from a function's parameter. */
function isSame(
  { names, loop }: VariableExpression,
  whole: readonly string[],
  binding: Exclude<NameBinding, { kind: "other" }>,
  around: readonly ESTree.Node[],
): boolean {
  if (binding.kind === "received") return loop === undefined && isPrefix(whole, names);
  if (isOfEachItem(binding.from, around)) return loop !== undefined && isPrefix(names, whole);
  return names.at(-1) === whole.at(-1);
}

function isPrefix(one: readonly string[], other: readonly string[]): boolean {
  return one.every((name, depth) => (other[depth] ?? name) === name);
}

/** Reads a member of what a parameter, a loop variable or a pattern refers to. */
function memberAccess(parameter: ESTree.Node, name: string, { file }: ParsedModule): AccessCode {
  const own = parameter.type === "AssignmentPattern" ? parameter.left : parameter;
  if (own.type === "Identifier") return { text: `${own.name}.${name}`, edits: [] };
  if (own.type !== "ObjectPattern") return { text: name, edits: [] };
  const rest = own.properties.find(({ type }) => type === "RestElement");
  if (rest) return { text: name, edits: [insertion(file, rest.start, `${name}, `)] };
  const last = own.properties.at(-1);
  const edit = last ? insertion(file, last.end, `, ${name}`) : insertion(file, own.start + 1, ` ${name} `);
  return { text: name, edits: [edit] };
}
