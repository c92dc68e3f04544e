import type { Variables } from "../../mustache/variables.js";
import { isRecord } from "./schema-walk.js";

/**
 * Finds missing values at a path. A missing list has no items, so it has no missing values either.
 *
 * @example
 * gapsAt("lines[].price", { lines: [{ price: "€4" }, {}] }); // ["variables.lines[1].price"]
 *
 * @param path In the format of a contract's `printed`.
 */
export function gapsAt(path: string, variables: Variables): string[] {
  return gapsIn(variables, path.replaceAll("[]", ".[]").split("."), "variables");
}

function gapsIn(value: unknown, [part, ...rest]: readonly string[], place: string): string[] {
  if (part === "[]")
    return Array.isArray(value) ? value.flatMap((item, index) => gapsIn(item, rest, `${place}[${index}]`)) : [];
  if (value === undefined || value === null) return [place];
  return part !== undefined && isRecord(value) ? gapsIn(value[part], rest, `${place}.${part}`) : [];
}
