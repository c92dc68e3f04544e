import type { Variables } from "../../mustache/variables.js";
import { isObject } from "./example.js";

/**
 * The smallest variables that show the same: what can be left out without that it goes away is left out.
 *
 * @example
 * smallest({ name: "Ada", items: [{ name: "Tea" }, { name: "Jam" }] }, ({ items }) => Array.isArray(items) && items.length > 0);
 * // { items: [null] }
 */
export function smallest(variables: Variables, shows: (variables: Variables) => boolean): Variables {
  const shrunk = shrink(variables, (value) => isObject(value) && shows(value));
  return isObject(shrunk) ? shrunk : variables;
}

function shrink(value: unknown, shows: (value: unknown) => boolean): unknown {
  for (const simple of [null, "", true]) if (value !== simple && shows(simple)) return simple;
  if (Array.isArray(value)) return shrinkList(value, shows);
  return isObject(value) ? shrinkObject(value, shows) : value;
}

function shrinkList(list: readonly unknown[], shows: (value: unknown) => boolean): unknown {
  let left = list;
  while (left.length > 0 && shows(left.slice(1))) left = left.slice(1);
  for (const index of left.keys()) {
    const item = shrink(left[index], (each) => shows(left.with(index, each)));
    left = left.with(index, item);
  }
  return left;
}

function shrinkObject(object: Variables, shows: (value: unknown) => boolean): unknown {
  let left = object;
  for (const name of Object.keys(object)) {
    const { [name]: value, ...others } = left;
    if (shows(others)) left = others;
    else left = { ...left, [name]: shrink(value, (each) => shows({ ...others, [name]: each })) };
  }
  return left;
}

/** Characters of a text, and of all variables, that a message has room for. */
const LONGEST_TEXT = 24;
const LONGEST = 160;

/**
 * @example
 * inWords({ name: "w".repeat(200) }); // '{"name":"wwwwwwwwwwwwwwwwwwwwwwww…"}'
 */
export function inWords(variables: Variables): string {
  const words = JSON.stringify(variables, (_, value: unknown) =>
    typeof value === "string" && value.length > LONGEST_TEXT ? `${value.slice(0, LONGEST_TEXT)}…` : value,
  );
  return words.length > LONGEST ? `${words.slice(0, LONGEST)}…` : words;
}
