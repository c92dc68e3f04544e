import type { DomNode } from "html-to-text";
import { tokensIn } from "../sections.js";

const BLOCKS: ReadonlySet<string> = new Set(
  "address article aside blockquote body br div footer h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table td th tr ul".split(
    " ",
  ),
);

export function isBlock(node: DomNode): boolean {
  return node.name !== undefined && BLOCKS.has(node.name);
}

export function isBlank(node: DomNode): boolean {
  return node.type === "comment" || (node.type === "text" && (node.data ?? "").trim() === "");
}

/** All that is in a node, in the order of the document. */
export function descendants(node: DomNode): DomNode[] {
  const found: DomNode[] = [];
  const waiting = [...(node.children ?? [])].reverse();
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    found.push(next);
    for (let index = (next.children ?? []).length - 1; index >= 0; index -= 1) {
      const child = next.children[index];
      if (child) waiting.push(child);
    }
  }
  return found;
}

/** The text in an element as one line. */
export function textOf(node: DomNode): string {
  const texts = descendants(node)
    .filter(({ type }) => type === "text")
    .map(({ data }) => data ?? "");
  return texts.join("").replace(/\s+/g, " ").trim();
}

/** An attribute; empty where there is none. */
export function attributeOf(node: DomNode, name: string): string {
  const attributes: unknown = node.attribs;
  if (typeof attributes !== "object" || attributes === null) return "";
  const value: unknown = Object.getOwnPropertyDescriptor(attributes, name)?.value;
  return typeof value === "string" ? value : "";
}

/** The numbers of the tags in the text of a node. */
export function tagsInText(node: DomNode): number[] {
  return tokensIn(node.type === "text" ? (node.data ?? "") : textOf(node)).map(({ tag }) => tag);
}
