import { scan } from "../../mustache/scan.js";
import type { CheckedTemplate } from "../rule.js";
import { htmlTags, type TagInPlace, textTags } from "./tags.js";

/** A section of a compiled body, with what stands in it. */
export interface Block {
  /** The one that opens it. */
  readonly tag: TagInPlace;
  /** Between its two tags. */
  readonly content: string;
  /** Of the whole, tags included. */
  readonly start: number;
  readonly end: number;
}

/**
 * The sections of the compiled html, in its order.
 *
 * @example
 * htmlBlocks(checked)[0]?.content; // "<li>{{name}}</li>"
 */
export function htmlBlocks(checked: CheckedTemplate): readonly Block[] {
  return blocksOf(checked.compiled.html_body, htmlTags(checked));
}

/** Those of a text body that a person wrote; none where it is derived from the html. */
export function textBlocks(checked: CheckedTemplate): readonly Block[] {
  return blocksOf(checked.compiled.text_body, textTags(checked));
}

function blocksOf(body: string, tags: readonly TagInPlace[]): readonly Block[] {
  const blocks = known.get(tags) ?? readBlocks(body, tags);
  known.set(tags, blocks);
  return blocks;
}

/** Several rules ask, one after the other, with the tags of the same body. */
const known = new WeakMap<readonly TagInPlace[], readonly Block[]>();

function readBlocks(body: string, tags: readonly TagInPlace[]): Block[] {
  const waiting = new Map<string, TagInPlace[]>();
  for (const tag of tags) {
    if (tag.kind === "section" || tag.kind === "inverted")
      waiting.set(tag.text, [...(waiting.get(tag.text) ?? []), tag]);
  }
  const open: { readonly tag: TagInPlace | undefined; readonly start: number; readonly from: number }[] = [];
  const blocks: Block[] = [];
  for (const { kind, start, end } of scan(body).tags) {
    if (kind === "section" || kind === "inverted")
      open.push({ tag: waiting.get(body.slice(start, end))?.shift(), start, from: end });
    if (kind !== "close") continue;
    const opened = open.pop();
    if (opened?.tag)
      blocks.push({ tag: opened.tag, content: body.slice(opened.from, start), start: opened.start, end });
  }
  return blocks.toSorted((a, b) => a.start - b.start);
}

/** What is read of a part of a body, its tags aside. */
export function readIn(content: string): string {
  return content
    .replaceAll(/<(style|script|title)\b[^]*?<\/\1\s*>/gi, " ")
    .replaceAll(/<!--[^]*?-->/g, " ")
    .replaceAll(/<[^>]*>|&(?:nbsp|zwnj|#\d+);|\{\{[^]*?\}\}\}?/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** How many words somebody reads there. */
export function wordCount(content: string): number {
  return readIn(content).match(/\p{L}{2,}/gu)?.length ?? 0;
}
