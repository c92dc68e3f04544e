import type { ESTree, Rolldown } from "../../modules/rolldown.js";
import { type Computation, computationAt } from "./computation.js";
import { renameIn } from "./rename.js";
import { childrenOf } from "./rewrite/nodes.js";
import type { VariableName } from "./runtime/rendering.js";
import type { Site } from "./runtime/symbolic.js";

export interface DeriveHintInput {
  readonly site: Site;
  /** The variable that is computed with. */
  readonly variable: VariableName;
  /** The module's source. */
  readonly code: string;
  /** The names of all that the component receives. */
  readonly received: readonly string[];
  /** Whether the template has a `variables.ts`. */
  readonly hasFile: boolean;
  /** What other hints of the template compute, by the name that they give it. */
  readonly taken: Map<string, string>;
  readonly parseSync: Rolldown["parseSync"];
}

/**
 * The line for `variables.ts` that computes there what a component computes of a variable.
 *
 * @example
 * deriveHint({ variable: { lists: [], names: ["order", "total"] }, … }); // of `{props.order.total.toFixed(2)}`
 * // "Compute it in variables.ts, and use orderTotal here:
 * //  export function derive(variables) { return { orderTotal: variables.order.total.toFixed(2) }; }"
 */
export function deriveHint(input: DeriveHintInput): string {
  const { site, variable, code, received, parseSync } = input;
  const computation = computationAt(site, code, parseSync);
  if (variable.isPosition) return positionHint(input, computation);
  const listHint = computation && hintForListOfLength(input, computation);
  if (listHint !== undefined) return listHint;
  if (!computation || holdsMarkup(computation.node)) return generalHint(input);
  const { node } = computation;
  const isDate = node.type === "NewExpression" && code.slice(node.callee.start, node.callee.end) === "Date";
  if (node.type === "NewExpression" && !isDate) {
    return `Compute in derive (${fileOf(input)}) what is printed of it, as a text, and use that here.`;
  }
  const root = variable.lists.length > 0 ? "item" : "variables";
  const { text, foreign } = renameIn(computation, { variable, received, root });
  // A parameter, or something of the module's own, is out of reach there.
  if (foreign.some((name) => !computation.imported.has(name))) return generalHint(input);
  if (text === [root, ...variable.names].join(".")) {
    return "Print the variable outside of it, or do without what takes it apart.";
  }
  const value = isDate ? `${text}.toLocaleDateString(locale, { timeZone })` : withDate(text);
  const derived = derivedOf(input, value);
  if (!derived) return generalHint(input);
  const bring = foreign.length > 0 ? ` Import ${foreign.join(", ")} there too.` : "";
  return lineOf(input, derived, isDate ? "variables, { locale, timeZone }" : "variables") + bring;
}

/** A date is passed as a text, as JSON has it, which no formatter takes. */
function withDate(text: string): string {
  return text.replace(/(\bIntl\.DateTimeFormat\(.*\)\.format)\(((?:variables|item)[\w.]*)\)/, "$1(new Date($2))");
}

/** `Array.from({ length: stars })`, `Array(stars)`: a list to go through, which holds no more than how often. */
function hintForListOfLength(input: DeriveHintInput, computation: Computation): string | undefined {
  const length = lengthIn(computation.core);
  if (!length) return undefined;
  const { variable, received } = input;
  const root = variable.lists.length > 0 ? "item" : "variables";
  const { text, foreign } = renameIn({ ...computation, node: length }, { variable, received, root });
  const derived =
    foreign.length > 0 ? undefined : derivedOf(input, `Array.from({ length: ${text} }, (_, index) => index + 1)`);
  if (!derived) return undefined;
  return lineOf(input, {
    ...derived,
    todo: `${derived.todo.replace(/^use (.*) here$/, "go through $1 here")} with .map`,
  });
}

/** The length that a list is made with. */
function lengthIn(node: ESTree.Node): ESTree.Node | undefined {
  if (node.type !== "CallExpression" && node.type !== "NewExpression") return undefined;
  const [given] = node.arguments;
  if (!given) return undefined;
  const { callee } = node;
  if (callee.type === "Identifier") return callee.name === "Array" && node.arguments.length === 1 ? given : undefined;
  const isFrom =
    callee.type === "MemberExpression" &&
    callee.object.type === "Identifier" &&
    callee.object.name === "Array" &&
    callee.property.type === "Identifier" &&
    callee.property.name === "from";
  if (!isFrom || given.type !== "ObjectExpression" || given.properties.length !== 1) return undefined;
  const [property] = given.properties;
  const isLength =
    property?.type === "Property" && property.key.type === "Identifier" && property.key.name === "length";
  return isLength ? property.value : undefined;
}

/** What is computed of where an item stands: mostly its number, or every other one. */
function positionHint(input: DeriveHintInput, computation: Computation | undefined): string {
  const { variable, received } = input;
  const { text, foreign } = computation
    ? renameIn(computation, { variable, received, root: "index" })
    : { text: "", foreign: [] };
  const isNumber = foreign.length > 0 || ["", "index", "index + 1"].includes(text);
  const [name, value] = isNumber ? ["number", "index + 1"] : ["positionValue", text];
  const whole = variable.isOfValues ? "value: item" : "...item";
  const member = unused(input, `${variable.lists.join(" ")} `, name, value);
  return lineOf(input, {
    todo: variable.isOfValues ? `use item.value and item.${member} here` : `use item.${member} here`,
    result: within(variable.lists, `.map((item, index) => ({ ${whole}, ${member}: ${value} }))`),
  });
}

interface Derived {
  readonly todo: string;
  /** The member of what `derive` returns. */
  readonly result: string;
}

function lineOf(input: DeriveHintInput, { todo, result }: Derived, parameters = "variables"): string {
  return `Compute it in ${fileOf(input)}, and ${todo}: export function derive(${parameters}) { return { ${result} }; }`;
}

function generalHint(input: DeriveHintInput): string {
  return `Compute it in derive (${fileOf(input)}), and use the result here.`;
}

function fileOf({ hasFile }: DeriveHintInput): string {
  return hasFile ? "variables.ts" : "variables.ts, a new file beside the template that exports a schema too";
}

function derivedOf(input: DeriveHintInput, value: string): Derived | undefined {
  const { lists, names } = input.variable;
  const [list = [], ...inner] = lists;
  if (lists.length === 0) {
    const name = unused(input, "", camelCase(names.length > 1 ? names : [...names, "value"]), value);
    return { todo: `use ${name} here`, result: `${name}: ${value}` };
  }
  if (names.length > 0) {
    const name = unused(input, `${lists.join(" ")} `, camelCase([...names, "value"]), value);
    return {
      todo: `use item.${name} here`,
      result: within(lists, `.map((item) => ({ ...item, ${name}: ${value} }))`),
    };
  }
  if (inner.length > 0) return undefined;
  const name = unused(input, "", camelCase([...list, "values"]), value);
  return { todo: `go through ${name} here`, result: `${name}: variables.${list.join(".")}.map((item) => ${value})` };
}

/** A name that no other hint of the template gives to something else. */
function unused({ taken }: DeriveHintInput, place: string, name: string, value: string): string {
  let free = name;
  for (let number = 2; (taken.get(place + free) ?? value) !== value; number += 1) free = `${name}${number}`;
  taken.set(place + free, value);
  return free;
}

/** `order: { ...variables.order, items: variables.order.items.map(…) }`; of a list in a list, a `.map` in a `.map`. */
function within([list = [], ...inner]: VariableName["lists"], mapped: string, holder = "variables"): string {
  const [first = "", ...rest] = list;
  if (inner.length === 0) return `${first}: ${valueWithin([holder, first], rest, mapped)}`;
  const item = camelCase([...list.slice(-1), "item"]);
  const each = `.map((${item}) => ({ ...${item}, ${within(inner, mapped, item)} }))`;
  return `${first}: ${valueWithin([holder, first], rest, each)}`;
}

function valueWithin(place: readonly string[], [next, ...further]: readonly string[], mapped: string): string {
  const path = place.join(".");
  return next === undefined
    ? path + mapped
    : `{ ...${path}, ${next}: ${valueWithin([...place, next], further, mapped)} }`;
}

/** Elements are no variables. */
function holdsMarkup(node: ESTree.Node): boolean {
  return node.type.startsWith("JSX") || childrenOf(node).some(holdsMarkup);
}

/** An identifier: of `lines[0].name`, `linesFirstName`. */
function camelCase(names: readonly string[]): string {
  const words = names.flatMap((name) => wordOf(name).split(/[^\p{L}\p{N}_$]+/u)).filter((word) => word !== "");
  return words.map((word, index) => (index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1))).join("");
}

function wordOf(step: string): string {
  const number = /^\[(-?\d+)\]$/.exec(step)?.[1];
  if (number === undefined) return step;
  return { "0": "first", "-1": "last" }[number] ?? `item ${number}`;
}
