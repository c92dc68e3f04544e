import { rendering } from "./rendering.js";
import { isObject, represented } from "./symbolic.js";

/*
 * React Email's `Preview` truncates its text to a length in which tags would count as tokens, and choices with all their
 * cases. So it receives a single character instead, and the text is restored after rendering.
 */

interface Previewing {
  readonly type: unknown;
  readonly props: Readonly<Record<string, unknown>>;
}

/** The element, with placeholders for texts of a `Preview` that contain tags. */
export function holdPreview<Element extends Previewing>(element: Element): Element {
  const { type, props } = element;
  if (!isObject(type) || Reflect.get(type, "displayName") !== "Preview") return element;
  const parts: unknown[] = [props["children"]].flat();
  if (!parts.every((part) => typeof part === "string" || represented(part))) return element;
  const text = parts.join("");
  if (!text.includes("\uE000")) return element;
  const number = rendering().previews.push(text) - 1;
  return { ...element, props: { ...props, children: `\uE004${number}\uE005` } };
}

/** Restores the held-back texts in rendered HTML. */
export function releaseTexts(html: string, previews: readonly string[]): string {
  return html.replace(/\uE004(\d+)\uE005/g, (_held, number: string) => escaped(previews[Number(number)] ?? ""));
}

/** Escapes a string as React does. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#x27;",
};
