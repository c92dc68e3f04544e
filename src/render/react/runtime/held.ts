import { rendering } from "./rendering.js";
import { isObject, represented } from "./symbolic.js";

/*
 * React Email's `Preview` cuts its text at a length, in which tags would count as their tokens and choices as all of
 * their cases. So it is given one character's worth of a text instead, and gets the text back when all is rendered.
 */

interface Previewing {
  readonly type: unknown;
  readonly props: Readonly<Record<string, unknown>>;
}

/** An element as it was given, but for the text of a `Preview` that has tags in it. */
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

/** Rendered html with the texts that were held back. */
export function releaseTexts(html: string, previews: readonly string[]): string {
  return html.replace(/\uE004(\d+)\uE005/g, (_held, number: string) => escaped(previews[Number(number)] ?? ""));
}

/** As React escapes texts. */
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
