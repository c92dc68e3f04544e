import { TOKEN } from "../../mustache/tokens.js";
import type { Element } from "./tree.js";

const BULLET = "- ";

/**
 * The marks before the items of a list. Items are only numbered if their number is known: items in sections are shown
 * zero, one or many times.
 */
export function listMarks(list: Element): (item: Element) => string {
  const items = list.children.filter((child) => typeof child !== "string" && child.name === "li");
  const isKnown = list.children.every((child) => typeof child !== "string" || child.search(TOKEN) < 0);
  if (list.name !== "ol" || !isKnown) return () => BULLET;
  const first = Number.parseInt(list.attributes["start"] ?? "1", 10) || 1;
  const width = `${first + items.length - 1}. `.length;
  const style = list.attributes["type"] ?? "1";
  return (item) => `${numberAs(style, first + items.indexOf(item))}. `.padStart(width);
}

function numberAs(style: string, number: number): string {
  const isLetter = (style === "a" || style === "A") && number >= 1 && number <= 26;
  return isLetter ? String.fromCharCode(style.charCodeAt(0) + number - 1) : String(number);
}
