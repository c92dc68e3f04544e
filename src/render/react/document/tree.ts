import { TOKEN } from "../../../mustache/tokens.js";
import { removeSites } from "../../source/mapped-text.js";
import { pathKey, testKey } from "../runtime/facts.js";
import { refuseLoopCarried } from "../runtime/loops.js";
import type { Missing, Token } from "../runtime/rendering.js";
import type { AccessPath, Loop, Test } from "../runtime/symbolic.js";

/** A part of a rendered text, with tokens resolved: sections form a tree. */
export type DocumentPart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "value"; readonly path: AccessPath; readonly raw: boolean }
  | Missing
  | { readonly kind: "each"; readonly loop: Loop; readonly body: readonly DocumentPart[] }
  | Alternative;

export interface Alternative {
  readonly kind: "alternative";
  readonly test: Test;
  readonly yes: readonly DocumentPart[];
  readonly no: readonly DocumentPart[];
}

/** Package code has split strings so that tokens in them can't be restored. */
export class BrokenTokens extends Error {}

/**
 * @param tokens The meaning of each token.
 * @throws {BrokenTokens} Some are cut, or sections are incomplete.
 */
export function readParts(text: string, tokens: readonly Token[]): DocumentPart[] {
  const reader = new Reader();
  let from = 0;
  for (const match of text.matchAll(TOKEN)) {
    reader.text(text.slice(from, match.index));
    from = match.index + match[0].length;
    const token = tokens[Number(match[1])];
    if (!token) throw new BrokenTokens();
    reader.token(token);
  }
  reader.text(text.slice(from));
  return reader.end();
}

type Opening = Extract<Token, { kind: "case" | "each" | "again" }>;

class Reader {
  readonly #levels: { readonly opening: Opening | undefined; readonly parts: DocumentPart[] }[] = [
    { opening: undefined, parts: [] },
  ];
  readonly #styles = new Styles();

  text(text: string): void {
    if (/[\uE000\uE001]/.test(text)) throw new BrokenTokens();
    this.#styles.pass(text);
    if (text !== "") this.#add({ kind: "text", text });
  }

  token(token: Token): void {
    if (token.kind === "case" || token.kind === "each" || token.kind === "again")
      this.#levels.push({ opening: token, parts: [] });
    else if (token.kind === "close") this.#close();
    else if (token.kind === "value" && this.#styles.isWithin) this.#add({ ...token, raw: true });
    else this.#add(token);
  }

  end(): DocumentPart[] {
    const [level, ...open] = this.#levels;
    if (!level || open.length > 0) throw new BrokenTokens();
    return level.parts;
  }

  #close(): void {
    const { opening, parts } = this.#levels.pop() ?? {};
    if (!opening || !parts) throw new BrokenTokens();
    if (opening.kind === "each") this.#add({ kind: "each", loop: opening.loop, body: parts });
    else if (opening.kind === "again") this.#compare(opening.loop, parts);
    else if (opening.answer) this.#add({ kind: "alternative", test: opening.test, yes: parts, no: [] });
    else this.#addNo(opening.test, parts);
  }

  /** Compares with what was rendered for the next item. */
  #compare(loop: Loop, parts: readonly DocumentPart[]): void {
    const last = this.#levels.at(-1)?.parts.at(-1);
    const isSame = last?.kind === "each" && partsKey(last.body) === partsKey(parts);
    if (!isSame) refuseLoopCarried(loop);
  }

  /** The two cases of a choice follow each other. */
  #addNo(test: Test, no: DocumentPart[]): void {
    const siblings = this.#levels.at(-1)?.parts ?? [];
    const last = siblings.at(-1);
    const isOther = last?.kind === "alternative" && last.no.length === 0 && testKey(last.test) === testKey(test);
    if (isOther) siblings.pop();
    this.#add({ kind: "alternative", test, yes: isOther ? last.yes : [], no });
  }

  #add(part: DocumentPart): void {
    this.#levels.at(-1)?.parts.push(part);
  }
}

/** Tracks whether a text is inside a `<style>` element: React escapes nothing there, and browsers decode no entities. */
class Styles {
  #at: "outside" | "tag" | "within" = "outside";

  get isWithin(): boolean {
    return this.#at === "within";
  }

  pass(text: string): void {
    const opened = text.lastIndexOf("<style");
    if (opened < text.lastIndexOf("</style")) this.#at = "outside";
    else if (opened >= 0) this.#at = "tag";
    if (this.#at === "tag" && text.includes(">", Math.max(opened, 0))) this.#at = "within";
  }
}

/** The same key for parts that print the same, although they come from two runs of the same code. */
export function partsKey(parts: readonly DocumentPart[], loops: ReadonlyMap<number, number> = new Map()): string {
  return parts.map((part) => partKey(part, loops)).join(",");
}

function partKey(part: DocumentPart, loops: ReadonlyMap<number, number>): string {
  if (part.kind === "text") return JSON.stringify(removeSites(part.text));
  if (part.kind === "value") return `${part.raw ? "raw" : "value"}(${nameKey(part.path, loops)})`;
  if (part.kind === "missing") return `missing ${part.word}(${nameKey(part.path, loops)})`;
  if (part.kind === "each") {
    const inner = new Map([...loops, [part.loop.id, loops.size] as const]);
    return `each(${nameKey(part.loop.list, loops)})[${partsKey(part.body, inner)}]`;
  }
  const test = testKey({ ...part.test, path: renamed(part.test.path, loops) });
  return `if(${test})[${partsKey(part.yes, loops)}][${partsKey(part.no, loops)}]`;
}

function nameKey(path: AccessPath, loops: ReadonlyMap<number, number>): string {
  return pathKey(renamed(path, loops));
}

/** Identifies loops by their depth instead of their number. */
function renamed(path: AccessPath, loops: ReadonlyMap<number, number>): AccessPath {
  const depth = path.loop && loops.get(path.loop.id);
  return path.loop && depth !== undefined ? { ...path, loop: { ...path.loop, id: -1 - depth } } : path;
}
