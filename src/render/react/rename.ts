import type { ESTree } from "../../modules/rolldown.js";
import { type Binding, bindingOf } from "./bindings.js";
import { type Computation, GLOBALS } from "./computation.js";
import { childrenOf } from "./rewrite/nodes.js";
import type { VariableName } from "./runtime/rendering.js";

export interface Names {
  /** The variable that is computed with. */
  readonly variable: VariableName;
  /** The names of all that the component receives. */
  readonly received: readonly string[];
  /** What the object is called there that the variable's names begin in: `variables`, or `item` of a list. */
  readonly root: string;
}

/**
 * A computation with variables called what they are called in `derive`, and the names that it needs beside them: those of
 * which it isn't sure what they are called there, too.
 */
export function renameIn(
  { node, code, imported, around }: Computation,
  names: Names,
): { readonly text: string; readonly foreign: readonly string[] } {
  const references = referencesIn(node).map((reference) => ({
    ...reference,
    binding: imported.has(reference.name) ? undefined : bindingOf(reference.name, around),
  }));
  const standing = standingOf(references, imported, names);
  const foreign = new Set<string>();
  const edits: Edit[] = copiesIn(node);
  for (const { name, start, end, isShorthand, binding } of references) {
    const renamed = imported.has(name) ? undefined : (standing.get(name) ?? renameOf(name, binding, names, code));
    if (renamed === undefined) foreign.add(name);
    else if (renamed !== name) edits.push({ start, end, text: isShorthand ? `${name}: ${renamed}` : renamed });
  }
  let text = "";
  let from = node.start;
  for (const edit of edits.sort((a, b) => a.start - b.start)) {
    text += code.slice(from, edit.start) + edit.text;
    from = edit.end;
  }
  const whole = (text + code.slice(from, node.end)).replace(/\s+/g, " ");
  return { text: whole, foreign: [...foreign] };
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** `[...items].sort()` of `items.sort()`: what is done in place would change the variable for all that comes after. */
function copiesIn(node: ESTree.Node): Edit[] {
  const inner = childrenOf(node).flatMap(copiesIn);
  if (node.type !== "CallExpression" || node.callee.type !== "MemberExpression") return inner;
  const { object, property, computed, optional } = node.callee;
  const isInPlace = !computed && property.type === "Identifier" && IN_PLACE.has(property.name);
  if (!isInPlace || !(object.type === "Identifier" || object.type === "MemberExpression")) return inner;
  const [before, after] = optional ? ["[...(", " ?? [])]"] : ["[...", "]"];
  return [
    { start: object.start, end: object.start, text: before },
    { start: object.end, end: object.end, text: after },
    ...inner,
  ];
}

const IN_PLACE: ReadonlySet<string> = new Set("sort reverse splice fill copyWithin pop shift".split(" "));

/** What a name stands for that is not the variable; undefined where that can't be known. */
function renameOf(name: string, binding: Binding | undefined, { received }: Names, code: string): string | undefined {
  if (binding?.kind === "received") {
    const path = ["variables", ...binding.path].join(".");
    const { otherwise } = binding;
    if (!otherwise) return path;
    return otherwise.type === "Literal" ? `(${path} ?? ${code.slice(otherwise.start, otherwise.end)})` : undefined;
  }
  if (binding?.kind === "other") return undefined;
  // Components mostly hand on what they receive under the same name.
  if (received.includes(name) && (!binding || binding.isOutermost)) return `variables.${name}`;
  return !binding && GLOBALS.has(name) ? name : undefined;
}

interface BoundReference extends Reference {
  readonly binding: Binding | undefined;
}

/** The names that stand for the variable, or for what it is a member of, and what these are called in `derive`. */
function standingOf(
  references: readonly BoundReference[],
  imported: ReadonlySet<string>,
  names: Names,
): ReadonlyMap<string, string> {
  const { variable, received, root } = names;
  if (references.some((reference) => isVariable(reference, names))) return new Map();
  const open = references.filter(({ name, binding }) =>
    binding ? binding.kind === "own" : !imported.has(name) && !GLOBALS.has(name) && !received.includes(name),
  );
  const found = open.flatMap((reference) => {
    const depth = depthOf(reference, variable.names);
    return depth === undefined ? [] : [{ from: fromOf(reference), depth }];
  });
  const [first, ...others] = found;
  if (!first) return standIn(open, names);
  // Two things may be called the same: an item of another list, or what a component receives.
  if (others.some(({ from, depth }) => from !== first.from || depth !== first.depth)) return new Map();
  const before = variable.names.slice(0, first.depth);
  return new Map(
    open
      .filter((reference) => fromOf(reference) === first.from)
      .map(({ name, binding }) => [
        name,
        pathText(root, [...before, ...(binding?.kind === "own" ? binding.path : [])]),
      ]),
  );
}

/** Whether it is the variable, or leads to it, as the component receives it. */
function isVariable({ name, chain, binding }: BoundReference, { variable, received }: Names): boolean {
  if (variable.lists.length > 0 || (binding ? binding.kind !== "received" : !received.includes(name))) return false;
  const path = binding?.kind === "received" ? [...binding.path, ...chain.slice(1)] : chain;
  return path.every((each, depth) => (variable.names[depth] ?? each) === each);
}

/** What a name is taken from; of one that nothing declares, itself. */
function fromOf({ name, binding }: BoundReference): unknown {
  return binding?.kind === "own" ? binding.from : name;
}

/**
 * A function's own name for what it was given: `const money = (amount) => amount.toFixed(2)`. It is the only one that is
 * not known otherwise.
 */
function standIn(open: readonly BoundReference[], { variable, received, root }: Names): ReadonlyMap<string, string> {
  const all = [...new Set(open.map(({ name }) => name))];
  const strange = all.filter((name) => !received.includes(name));
  const [only, ...others] = strange.length > 0 ? strange : all;
  return only === undefined || others.length > 0 ? new Map() : new Map([[only, pathText(root, variable.names)]]);
}

/** After how many of the variable's names stands what a name is taken from, by what is read of it or by its own name. */
function depthOf({ name, chain, binding }: BoundReference, names: readonly string[]): number | undefined {
  const path = binding?.kind === "own" ? binding.path : [];
  const read = [...path, ...chain.slice(1)];
  const isBegun = (rest: readonly string[], by: readonly string[]): boolean =>
    by.length > 0 && by.every((each, step) => (rest[step] ?? each) === each);
  for (let depth = 0; depth < names.length; depth += 1) {
    const rest = names.slice(depth);
    if (isBegun(rest, read)) return depth;
    if (path.length === 0 && isBegun(rest, [name, ...read])) return depth + 1;
  }
  return undefined;
}

/** As JavaScript has it: `item.parts[0]?.name`. */
function pathText(root: string, names: readonly string[]): string {
  return names.reduce((text, name) => {
    const number = /^\[(-?\d+)\]$/.exec(name)?.[1];
    if (number === undefined) return `${text}${/[\])]$/.test(text) ? "?" : ""}.${name}`;
    return number.startsWith("-") ? `${text}.at(${number})` : `${text}[${number}]`;
  }, root);
}

interface Reference {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  /** The name and those of the members that are read of it. */
  readonly chain: readonly string[];
  readonly isShorthand: boolean;
}

/** The names in an expression that are neither members nor its own parameters. */
function referencesIn(expression: ESTree.Node): Reference[] {
  const found: Reference[] = [];
  const own = new Set<string>();
  const visit = (node: ESTree.Node, chain: readonly string[] = []): void => {
    if (node.type === "Identifier") {
      const { name, start, end } = node;
      if (!own.has(name)) found.push({ name, start, end, chain: [name, ...chain], isShorthand: false });
    } else if (node.type === "MemberExpression") {
      const { object, property } = node;
      const isNamed = !node.computed && property.type === "Identifier";
      visit(object, isNamed ? [property.name, ...chain] : []);
      if (node.computed) visit(property);
    } else if (node.type === "Property") {
      if (node.computed) visit(node.key);
      const before = found.length;
      visit(node.value);
      const [shorthand] = node.shorthand ? found.splice(before) : [];
      if (shorthand) found.push({ ...shorthand, isShorthand: true });
    } else if (node.type === "ArrowFunctionExpression" || node.type === "FunctionExpression") {
      for (const parameter of node.params) for (const name of namesIn(parameter)) own.add(name);
      if (node.body) visit(node.body);
    } else {
      const passesOn = node.type === "ChainExpression" || node.type.startsWith("TS");
      for (const child of childrenOf(node)) visit(child, passesOn ? chain : []);
    }
  };
  visit(expression);
  return found;
}

function namesIn(pattern: ESTree.Node): string[] {
  if (pattern.type === "Identifier") return [pattern.name];
  if (pattern.type === "Property") return namesIn(pattern.value);
  return childrenOf(pattern).flatMap(namesIn);
}
