import { tokenOf } from "./paths.js";
import { refuse, rendering, type SymbolicRendering } from "./rendering.js";
import { replaceValues, symbolicOf, valuesInString } from "./strings.js";
import { type AccessPath, isReference, represented } from "./symbolic.js";

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

export function escapeLikeReact(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#x27;",
};

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
