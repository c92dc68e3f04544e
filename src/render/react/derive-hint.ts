import type { Rolldown } from "../../modules/rolldown.js";
import { computationAt } from "./computation.js";
import { renameIn } from "./rename.js";
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
  const [list, ...inner] = variable.lists;
  if (variable.isPosition && list && inner.length === 0) {
    const [used, result] = resultOf(variable, "");
    return `Compute it in ${fileOf(input)}, and use ${used} here: export function derive(variables) { return { ${result} }; }`;
  }
  const computation = inner.length > 0 ? undefined : computationAt(site, code, parseSync);
  if (!computation || isMarkup(computation.node.type)) return generalHint(input);
  const { node } = computation;
  const isDate = node.type === "NewExpression" && code.slice(node.callee.start, node.callee.end) === "Date";
  if (node.type === "NewExpression" && !isDate) {
    return `Compute in derive (${fileOf(input)}) what is printed of it, as a text, and use that here.`;
  }
  const { text, foreign } = renameIn(computation, { variable, received, root: list ? "item" : "variables" });
  // A parameter, or something of the module's own, is out of reach there.
  if (foreign.some((name) => !computation.imported.has(name))) return generalHint(input);
  if (text === [...(list ? ["item"] : ["variables"]), ...variable.names].join(".")) {
    return "Print the variable outside of it, or do without what takes it apart.";
  }
  const value = isDate ? `${text}.toLocaleDateString(locale, { timeZone })` : text;
  const parameters = isDate ? "variables, { locale, timeZone }" : "variables";
  const [used, result] = resultOf(variable, value);
  const bring = foreign.length > 0 ? ` Import ${foreign.join(", ")} there too.` : "";
  return `Compute it in ${fileOf(input)}, and use ${used} here: export function derive(${parameters}) { return { ${result} }; }${bring}`;
}

function generalHint(input: DeriveHintInput): string {
  return `Compute it in derive (${fileOf(input)}), and use the result here.`;
}

function fileOf({ hasFile }: DeriveHintInput): string {
  return hasFile ? "variables.ts" : "variables.ts, a new file beside the template that exports a schema too";
}

/** How the value is called in the component, and the member of what `derive` returns. */
function resultOf({ lists: [list], names }: VariableName, value: string): readonly [used: string, result: string] {
  if (!list) {
    const name = camelCase(names.length > 1 ? names : [...names, "value"]);
    return [name, `${name}: ${value}`];
  }
  if (names.length === 0) {
    return ["item.number", within(list, ".map((item, index) => ({ ...item, number: index + 1 }))")];
  }
  const name = camelCase([...names, "value"]);
  return [`item.${name}`, within(list, `.map((item) => ({ ...item, ${name}: ${value} }))`)];
}

/** `order: { ...variables.order, items: variables.order.items.map(…) }` */
function within([first = "", ...rest]: readonly string[], mapped: string): string {
  return `${first}: ${valueWithin(["variables", first], rest, mapped)}`;
}

function valueWithin(place: readonly string[], [next, ...further]: readonly string[], mapped: string): string {
  const path = place.join(".");
  return next === undefined
    ? path + mapped
    : `{ ...${path}, ${next}: ${valueWithin([...place, next], further, mapped)} }`;
}

function isMarkup(type: string): boolean {
  return type === "JSXElement" || type === "JSXFragment";
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
