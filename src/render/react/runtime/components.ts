import { SITE_ATTRIBUTE } from "../../../text/markup/scan.js";
import { escapeLikeReact } from "../react-html.js";
import { RUNTIME_KEY, RUNTIME_NAME } from "../rewrite/rewriter.js";
import { tokenOf } from "./paths.js";
import { refuse, rendering, type SymbolicRendering } from "./rendering.js";
import { replaceValues, symbolicOf, valuesInString } from "./strings.js";
import { type AccessPath, isElement, isReference, represented, type SourceRange } from "./symbolic.js";

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

/*
 * React Email's `Preview` truncates its text to a length in which tags would count as tokens, and choices with all their
 * cases. So it receives a single character instead, and the text is restored after rendering.
 */

interface Previewing {
  readonly type: unknown;
  readonly props: Readonly<Record<string, unknown>>;
}

/** The element, with placeholders for texts of a `Preview` that contain tags. */
export function protectPreview<Element extends Previewing>(element: Element): Element {
  const { type, props } = element;
  if (!isReference(type) || Reflect.get(type, "displayName") !== "Preview") return element;
  const parts: unknown[] = [props["children"]].flat();
  if (!parts.every((part) => typeof part === "string" || represented(part))) return element;
  const text = parts.join("");
  if (!text.includes("\uE000")) return element;
  const number = rendering().previews.push(text) - 1;
  return { ...element, props: { ...props, children: `\uE004${number}\uE005` } };
}

/** Restores the held-back texts in rendered HTML. */
export function restorePreviews(html: string, previews: readonly string[]): string {
  return html.replace(/\uE004(\d+)\uE005/g, (_held, number: string) => escapeLikeReact(previews[Number(number)] ?? ""));
}

/*
 * Tailwind generates styles for class names on any element. A tag doesn't show which classes it stands for, so a component
 * with variables among its class names is rendered again with real ones in their place.
 */

/** Whole class names, and possible beginnings and ends. */
const NAMES = ["p-4 font-bold text-red-500", "red-500", "p", "4", "bold"];
const NUMBERS = [4, 2, 700, 12, 0.5];

/** How often a component is rendered with real class names. */
export const CLASS_ROUNDS = NAMES.length;

/** An element's class names when used: unchanged, or with real ones in a round. */
export function classNames(value: unknown): unknown {
  const symbolic = symbolicOf(value);
  if (symbolic?.kind !== "path" && symbolic?.kind !== "text") return value;
  const text = symbolic.kind === "path" ? tokenOf(symbolic) : symbolic.text;
  const now = rendering();
  for (const { path } of valuesInString(text)) now.classVariables.add(now.site ? path.with({ site: now.site }) : path);
  return now.classRound === undefined ? value : withNames(text, now, now.classRound);
}

/** Replaces the tags in HTML that was rendered without real class names with those of a round. */
export function withClassNames(html: string, now: SymbolicRendering, round: number): string {
  return html.replace(/ class="[^"]*"/g, (attribute) => withNames(attribute, now, round));
}

export function refuseClassNames({ classVariables }: SymbolicRendering): void {
  for (const path of classVariables) {
    refuse(path, "has a variable among its class names, for which a package generates styles", {
      site: path.site,
      hint: 'Choose between whole class names: `className={wide ? "p-8" : "p-4"}`.',
    });
  }
}

function withNames(text: string, now: SymbolicRendering, round: number): string {
  return replaceValues(text, (path) => String(nameFor(path, round)), now);
}

function nameFor(path: AccessPath, round: number): unknown {
  const values = path.literals?.filter((each) => each !== null) ?? (path.isOnly("number") ? NUMBERS : NAMES);
  return values[round % values.length];
}
