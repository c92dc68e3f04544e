import type { VariableName } from "./runtime/rendering.js";

/**
 * The line for `variables.ts` that computes there what a component computes of a variable.
 *
 * @example
 * deriveHint("props.order.total.toFixed(2)", { lists: [], names: ["order", "total"] });
 * // "Compute it in variables.ts, and use orderTotal here:
 * //  export function derive(variables) { return { orderTotal: variables.order.total.toFixed(2) }; }"
 */
export function deriveHint(source: string, { lists, names }: VariableName): string {
  const [list, ...inner] = lists;
  if (inner.length > 0 || source.startsWith("<"))
    return "Compute it in derive (variables.ts), and use the result here.";
  if (!list) {
    const name = camelCase(names.length > 1 ? names : [...names, "value"]);
    return line(name, `${name}: ${rename(source, names, "variables")}`);
  }
  if (names.length === 0)
    return line("item.number", within(list, ".map((item, index) => ({ ...item, number: index + 1 }))"));
  const name = camelCase([...names, "value"]);
  return line(`item.${name}`, within(list, `.map((item) => ({ ...item, ${name}: ${rename(source, names, "item")} }))`));
}

function line(used: string, result: string): string {
  return `Compute it in variables.ts, and use ${used} here: export function derive(variables) { return { ${result} }; }`;
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

/** Gives a variable the name that it has in `derive`, and others that are named by the same object. */
function rename(source: string, names: readonly string[], root: string): string {
  for (let known = 0; known < names.length; known += 1) {
    const tail = names
      .slice(known)
      .map(escaped)
      .join(String.raw`[!?]*\.`);
    const object = known === 0 ? String.raw`((?:[\w$]+[!?]*\.)*)` : "()";
    const place = new RegExp(String.raw`(?<![\w$.])${object}${tail}(?![\w$])`, "g");
    const props = place.exec(source)?.[1];
    if (props === undefined) continue;
    const renamed = source.replace(place, [root, ...names].join("."));
    return props === ""
      ? renamed
      : renamed.replace(new RegExp(String.raw`(?<![\w$.])${escaped(props)}`, "g"), `${root}.`);
  }
  return source;
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

function camelCase(names: readonly string[]): string {
  return names.map((name, index) => (index === 0 ? name : name.charAt(0).toUpperCase() + name.slice(1))).join("");
}
