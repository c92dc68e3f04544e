import type { Variables } from "./variables.js";

/** A context of the variables that a tag is filled from, and those around it. */
export interface Context {
  readonly value: unknown;
  readonly outer: Context | undefined;
}

/** A parsed name: its first part is looked up in every context, the others only in the value found. */
export interface Path {
  readonly first: string;
  readonly rest: readonly string[];
}

export function toPath(name: string): Path {
  const [first = "", ...rest] = name === "." ? ["."] : name.split(".");
  return { first, rest };
}

/**
 * The value of a name according to the specification: the innermost context that has the first part decides, and a null
 * there ends the search. Only own properties count, and `undefined` counts as absent, as in JSON.
 */
export function lookUp(scope: Context, { first, rest }: Path): unknown {
  if (first === ".") return scope.value;
  let value = findFirst(scope, first);
  for (const part of rest) value = ownProperty(value, part);
  return value;
}

/** The innermost context that has a name. */
export function findContext(scope: Context, name: string): Context | undefined {
  for (let at: Context | undefined = scope; at; at = at.outer) {
    if (ownProperty(at.value, name) !== undefined) return at;
  }
  return undefined;
}

function findFirst(scope: Context, name: string): unknown {
  for (let at: Context | undefined = scope; at; at = at.outer) {
    const value = ownProperty(at.value, name);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** An object's own member or a list's item. Undefined if there is none. */
export function ownProperty(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return Reflect.get(value, name);
}

/** Whether a section over this value is shown. Functions are never called, and count as absent. */
export function isShown(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value) && typeof value !== "function";
}

/**
 * The values that fill a tag, one for each time it is shown.
 *
 * @example
 * valuesOf({ items: [{ name: "Tea" }, { name: "Jam" }] }, { within: ["items"], name: "name" }); // ["Tea", "Jam"]
 *
 * @param within The names of the sections around it, outermost first, without inverted ones.
 */
export function valuesOf(
  variables: Variables,
  { within, name }: { readonly within: readonly string[]; readonly name: string },
): unknown[] {
  const scopes = within.reduce<readonly Context[]>(
    (around, section) => around.flatMap((scope) => scopesIn(scope, section)),
    [{ value: variables, outer: undefined }],
  );
  return scopes.map((scope) => lookUp(scope, toPath(name)));
}

function scopesIn(scope: Context, section: string): Context[] {
  const value = lookUp(scope, toPath(section));
  if (!isShown(value)) return [];
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  return items.map((item) => ({ value: item, outer: scope }));
}

/** What a variable tag prints for a value; objects and lists are printed as JavaScript would. */
export function printed(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean" || typeof value === "bigint") return String(value);
  if (Array.isArray(value)) return value.map(printed).join(",");
  return typeof value === "object" && value !== null ? "[object Object]" : "";
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  "/": "&#x2F;",
  "`": "&#x60;",
  "=": "&#x3D;",
};

const SPECIAL = /[&<>"'/`=]/;
const EVERY_SPECIAL = /[&<>"'/`=]/g;

/** Escapes what mustache.js escapes: more than HTML needs, so that the result is safe in any quoted attribute, too. */
export function escapeHtml(text: string): string {
  return SPECIAL.test(text) ? text.replace(EVERY_SPECIAL, (character) => ESCAPES[character] ?? character) : text;
}
