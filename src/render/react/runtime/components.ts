import { SITE_ATTRIBUTE } from "../../../text/markup/scan.js";
import { RUNTIME_KEY, RUNTIME_NAME } from "../rewrite/rewriter.js";
import { isElement, isReference, represented, type SourceRange } from "./symbolic.js";

/*
 * When compiling with positions, every element written as JSX records its place in an attribute. During rendering, that is the
 * number of the place among all that this thread has encountered, because a module's own elements are created once, when it is loaded,
 * whichever template it is loaded for.
 */

const sites: SourceRange[] = [];
const numbers = new Map<string, number>();

/** An element with its place. The project's components don't need one: the elements they return have their own. */
export function withPosition(element: unknown, site: SourceRange): unknown {
  if (!isElement(element)) return element;
  const { type, props } = element;
  if (!represented(type) && acceptsSymbolic(type)) return element;
  return { ...element, props: { ...props, [SITE_ATTRIBUTE]: String(numberOf(site)) } };
}

function numberOf(site: SourceRange): number {
  const key = `${site.start} ${site.file}`;
  const number = numbers.get(key) ?? sites.push(site) - 1;
  numbers.set(key, number);
  return number;
}

const PLACED = new RegExp(`( ${SITE_ATTRIBUTE}=")(\\d+)"`, "g");

/** HTML in which the places are renumbered in order of appearance. */
export function numberElements(html: string): { readonly html: string; readonly places: readonly SourceRange[] } {
  const own = new Map<string, number>();
  const places: SourceRange[] = [];
  const numbered = html.replace(PLACED, (_whole, start: string, known: string) => {
    const site = sites[Number(known)];
    if (site && !own.has(known)) own.set(known, places.push(site) - 1);
    return `${start}${own.get(known) ?? ""}"`;
  });
  return { html: numbered, places };
}

/** Components that support symbolic values: the project's own, which were rewritten. */
const own = new WeakSet<object>();

export function registerOwn(values: readonly unknown[]): void {
  for (const value of values) if (isReference(value)) own.add(value);
}

function isOwn(value: object): boolean {
  return own.has(value);
}

/** Whether a function was rewritten, even if it looks like a package's, because it is imported through an alias or read from an object. */
export function isRewritten(value: object): boolean {
  return (
    isOwn(value) || (typeof value === "function" && Function.prototype.toString.call(value).includes(RUNTIME_NAME))
  );
}

/** Set on package components that support symbolic values, too. */
const UNDERSTANDS = Symbol.for(RUNTIME_KEY);

export function isClass(type: object): boolean {
  const prototype: unknown = Reflect.get(type, "prototype");
  return isReference(prototype) && "isReactComponent" in prototype;
}

/** Whether its properties are not read by React or a package. */
export function acceptsSymbolic(type: unknown): boolean {
  if (typeof type === "string") return false;
  if (!isReference(type)) return true; // A fragment.
  if (isOwn(type) || Reflect.get(type, UNDERSTANDS) === true) return true;
  return typeof type === "object" && !("render" in type) && !("type" in type); // A context.
}
