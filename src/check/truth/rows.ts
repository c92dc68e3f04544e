import { Shape } from "../../mustache/shape.js";
import type { Variables, VariablesContract, VariablesSchema } from "../../mustache/variables.js";
import { isNullable, mayLack, shapeOf } from "../../mustache/scope.js";
import { isObject } from "./example.js";

/** How the sections of a row are shown. */
export const ROWS = ["absent", "empty", "once", "three times", "false"] as const;
export type Row = (typeof ROWS)[number];

/**
 * A row of the truth table: variables in which every section is shown in one way.
 *
 * @example
 * rowOf("absent", { name: "Ada", note: "Hi", items: [{}] }, contract); // { name: "Ada", note: null, items: [] }
 *
 * - `absent`: what may be absent is, lists are empty, booleans false.
 * - `empty`: lists and texts are empty, objects have only null; booleans are true.
 * - `once`: everything is there.
 * - `three times`: each list has three items.
 * - `false`: as that, but booleans are false.
 */
export function rowOf(row: Row, full: Variables, contract: VariablesContract): Variables {
  const changed = change(full, shapeOf(contract), { row, derived: contract.derived });
  return isObject(changed) ? changed : {};
}

interface Change {
  readonly row: Row;
  /** At the top: the schema of what is derived. */
  readonly derived?: VariablesSchema | undefined;
}

function change(value: unknown, shape: Shape, { row, derived }: Change): unknown {
  const inner = { row };
  if (Array.isArray(value)) {
    if (row === "absent" || row === "empty") return [];
    const items = value.map((item) => change(item, shape.items(), inner));
    return row === "once" ? items : [...items, ...items, ...items].slice(0, 3);
  }
  if (isObject(value)) {
    const entries = Object.entries(value).map(([name, member]) => {
      const of = shape.member(name) ?? Shape.UNKNOWN;
      const goes = row === "absent" && (mayLack(shape, name, derived) || isNullable(of));
      return [name, goes ? null : change(member, of, inner)];
    });
    return Object.fromEntries(entries);
  }
  if (typeof value === "boolean") return row !== "absent" && row !== "false";
  return row === "empty" && typeof value === "string" ? "" : value;
}

/** Characters that mean something to html and to Mustache, other scripts, line breaks, and a word without an end. */
export const HOSTILE = `"'<i id=x>&amp;--></style></script>{{x}}{{{y}}}{{/z}} \n😀 שלום ${"w".repeat(200)}`;

/**
 * Variables with another text in the place of each one that the application chooses freely.
 *
 * @param only The path of the one text that is replaced; without it, all are.
 */
export function withText(value: unknown, shape: Shape, text: string, only?: string, path = ""): unknown {
  if (typeof value === "string") return (only ?? path) === path && isFree(shape) ? text : value;
  if (Array.isArray(value)) return value.map((item) => withText(item, shape.items(), text, only, `${path}[]`));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const inner = path === "" ? name : `${path}.${name}`;
      return [name, withText(member, shape.member(name) ?? Shape.UNKNOWN, text, only, inner)];
    }),
  );
}

function isFree({ kinds }: Shape): boolean {
  return kinds.every((kind) => !kind.enum && kind.const === undefined && kind.format === undefined);
}
