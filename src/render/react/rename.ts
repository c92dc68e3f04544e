import type { ESTree } from "../../modules/rolldown.js";
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

/** A computation with variables called what they are called in `derive`, and the names that it needs beside them. */
export function renameIn(
  { node, code, imported }: Computation,
  names: Names,
): { readonly text: string; readonly foreign: readonly string[] } {
  const references = referencesIn(node);
  const objects = new Set(references.flatMap(({ chain }) => (isObjectOf(chain, names) ? chain.slice(0, 1) : [])));
  const known = (name: string, chain: readonly string[]): string | undefined =>
    objects.has(name) ? names.root : renameOf(name, chain, names);
  const unknown = new Set(references.flatMap(({ name, chain }) => (known(name, chain) === undefined ? [name] : [])));
  const isMentioned = references.some(({ name, chain }) => !GLOBALS.has(name) && known(name, chain) !== undefined);
  // A function's own name for what it was given: `const money = (amount) => amount.toFixed(2)`.
  const [parameter] = [...unknown].filter((name) => !imported.has(name));
  const standsForIt = !isMentioned && parameter !== undefined && unknown.size === 1 + count(unknown, imported);
  const foreign = new Set<string>();
  const edits: { readonly start: number; readonly end: number; readonly text: string }[] = [];
  for (const { name, start, end, chain, isShorthand } of references) {
    const renamed =
      standsForIt && name === parameter ? [names.root, ...names.variable.names].join(".") : known(name, chain);
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

function count(names: ReadonlySet<string>, among: ReadonlySet<string>): number {
  return [...names].filter((name) => among.has(name)).length;
}

/** What stands for a name that stands alone; undefined for one of the module's own. */
function renameOf(name: string, chain: readonly string[], { variable, received, root }: Names): string | undefined {
  const { names } = variable;
  const index = names.findIndex((_name, depth) => chain.every((each, step) => (names[depth + step] ?? each) === each));
  if (index >= 0) return [root, ...names.slice(0, index + 1)].join(".");
  if (received.includes(name)) return `variables.${name}`;
  return GLOBALS.has(name) ? name : undefined;
}

/** Whether a chain begins in the object that the variable's names begin in: `props.order.total`. */
function isObjectOf([first, ...rest]: readonly string[], { variable: { names }, received }: Names): boolean {
  if (first === undefined || rest.length === 0 || GLOBALS.has(first)) return false;
  return names.length > 0 && rest[0] === names[0] && (first !== names[0] || !received.includes(first));
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
