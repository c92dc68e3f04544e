import type { TagTable } from "../../mustache/tokens.js";
import { roleOf, tokensIn } from "../sections.js";

/** Whether the section that a tag opens repeats. */
export type IsList = (openingTag: number) => boolean;

export type Line = { readonly kind: "text"; readonly text: string } | { readonly kind: "blank" } | TagLine;

/** A section's tag alone on its line: Mustache removes the whole line. */
export interface TagLine {
  readonly kind: "tag";
  readonly text: string;
  readonly opens: boolean;
  /** The section is one paragraph, and not a list whose items stay together. */
  readonly isParagraph: boolean;
}

/** A part of a line: a section's tag, or what is between two of them. */
interface Part {
  readonly text: string;
  readonly tag?: { readonly number: number; readonly opens: boolean };
}

/**
 * Takes a text apart into lines, so that a section that holds whole lines has its tags on lines of their own.
 *
 * A section's end may be alone on a line only if its beginning is. Else, where the section is hidden, Mustache would
 * take away the only line end between what stands before the section and what follows it.
 */
export function toLines(text: string, tags: TagTable, isList: IsList): Line[] {
  const lines: Line[] = [];
  /** For each section around, whether its beginning is alone on its line. */
  const open: boolean[] = [];
  for (const written of text.split("\n")) {
    const line = new SplitLine(partsOf(written.trimEnd(), tags), open, isList);
    if (line.parts.length === 0) lines.push({ kind: "blank" });
    lines.push(...line.tagsBefore());
    addText(lines, line.between());
    lines.push(...line.tagsAfter());
    line.enter(open);
  }
  return lines;
}

class SplitLine {
  readonly parts: readonly Part[];
  /** The other end of each section that begins and ends in this line, by index. */
  readonly #partners = new Map<number, number>();
  readonly #alone = new Set<number>();
  #start = 0;
  #end: number;

  constructor(parts: readonly Part[], open: readonly boolean[], isList: IsList) {
    this.parts = parts;
    this.#end = parts.length;
    this.#pair();
    this.#takeStart(open, isList);
    this.#takeEnd(open);
  }

  tagsBefore(): TagLine[] {
    return this.#tagLines(0, this.#start);
  }

  tagsAfter(): TagLine[] {
    return this.#tagLines(this.#end, this.parts.length);
  }

  /** What stays of the line. */
  between(): readonly Part[] {
    const parts = this.parts.slice(this.#start, this.#end);
    return parts.map((part, index) => {
      if (part.tag) return part;
      const text = this.#start > 0 && index === 0 ? part.text.trimStart() : part.text;
      return { text: this.#end < this.parts.length && index === parts.length - 1 ? text.trimEnd() : text };
    });
  }

  /** Opens and closes the sections of this line. */
  enter(open: boolean[]): void {
    for (const [index, { tag }] of this.parts.entries()) {
      if (!tag || this.#partners.has(index)) continue;
      if (tag.opens) open.push(this.#alone.has(index));
      else open.pop();
    }
  }

  #pair(): void {
    const opening: number[] = [];
    for (const [index, { tag }] of this.parts.entries()) {
      if (tag?.opens) opening.push(index);
      const partner = tag && !tag.opens ? opening.pop() : undefined;
      if (partner === undefined) continue;
      this.#partners.set(partner, index);
      this.#partners.set(index, partner);
    }
  }

  #takeStart(open: readonly boolean[], isList: IsList): void {
    for (let index = 0; index < this.parts.length; index += 1) {
      const part = this.parts[index];
      if (!part || isBlank(part)) continue;
      if (!part.tag) break;
      const partner = this.#partners.get(index);
      if (part.tag.opens && partner !== undefined) {
        if (isList(part.tag.number) || !this.parts.slice(partner).every((after) => after.tag ?? isBlank(after))) break;
        this.#alone.add(partner);
      } else if (!part.tag.opens && !this.#mayEndAlone(index, open)) break;
      this.#alone.add(index);
      this.#start = index + 1;
    }
  }

  #takeEnd(open: readonly boolean[]): void {
    for (let index = this.parts.length - 1; index >= this.#start; index -= 1) {
      const part = this.parts[index];
      if (!part || isBlank(part)) continue;
      if (!part.tag || (part.tag.opens ? this.#partners.has(index) : !this.#mayEndAlone(index, open))) break;
      this.#alone.add(index);
      this.#end = index;
    }
  }

  #mayEndAlone(index: number, open: readonly boolean[]): boolean {
    if (this.#partners.has(index)) return this.#alone.has(index);
    const ended = this.parts
      .slice(0, index)
      .filter(({ tag }, at) => tag && !tag.opens && !this.#partners.has(at)).length;
    return open.at(-1 - ended) ?? false;
  }

  #tagLines(from: number, to: number): TagLine[] {
    return this.parts.slice(from, to).flatMap(({ text, tag }, at): TagLine[] => {
      if (!tag) return [];
      return [{ kind: "tag", text, opens: tag.opens, isParagraph: this.#partners.has(from + at) }];
    });
  }
}

function addText(lines: Line[], parts: readonly Part[]): void {
  const text = parts.map((part) => part.text).join("");
  if (text.trim() === "") return;
  const previous = lines.findLastIndex(({ kind }) => kind !== "blank");
  const before = lines[previous];
  // Tags that can't be alone on their line stay with the line before.
  if (before?.kind === "text" && parts.every((part) => part.tag ?? isBlank(part))) {
    lines.splice(previous, Infinity, { kind: "text", text: `${before.text} ${text.trim()}` });
  } else {
    lines.push({ kind: "text", text });
  }
}

function partsOf(line: string, tags: TagTable): Part[] {
  const parts: Part[] = [];
  let from = 0;
  for (const { tag: number, offset } of tokensIn(line)) {
    const role = roleOf(tags[number]);
    if (role === "prints") continue;
    const end = line.indexOf("\uE001", offset) + 1;
    if (offset > from) parts.push({ text: line.slice(from, offset) });
    parts.push({ text: line.slice(offset, end), tag: { number, opens: role === "opens" } });
    from = end;
  }
  if (from < line.length) parts.push({ text: line.slice(from) });
  return parts;
}

function isBlank({ text, tag }: Part): boolean {
  return !tag && text.trim() === "";
}
