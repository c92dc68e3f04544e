import { type Choose, merge, unitsOf, zipUnits } from "../../merge-cases.js";
import { removeSites } from "../../source/mapped-text.js";
import type { Expression } from "../runtime/expression.js";
import { type Fact, impliedByFacts, testKey } from "../runtime/facts.js";
import type { AccessPath, Loop, Test } from "../runtime/symbolic.js";
import { TOKEN } from "../../../mustache/tokens.js";
import { refuseLoopCarried } from "../runtime/loops.js";
import { type Missing, rendering, type Token } from "../runtime/rendering.js";

/** A part of a rendered text, with tokens resolved: sections form a tree. */
export type DocumentPart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "value"; readonly path: AccessPath; readonly raw: boolean; readonly isCode?: true }
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
  readonly #raw = new RawElements();

  text(text: string): void {
    if (/[\uE000\uE001]/.test(text)) throw new BrokenTokens();
    this.#raw.pass(text);
    if (text !== "") this.#add({ kind: "text", text });
  }

  token(token: Token): void {
    if (token.kind === "case" || token.kind === "each" || token.kind === "again")
      this.#levels.push({ opening: token, parts: [] });
    else if (token.kind === "close") this.#close();
    else if (token.kind === "value" && this.#raw.isWithin) this.#add({ ...token, raw: true, isCode: true });
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

/** Tracks whether a text is inside an element in which React escapes nothing, and browsers decode no entities. */
class RawElements {
  /** The name of the element, and whether its start tag has ended. */
  #open: { readonly name: string; readonly isWithin: boolean } | undefined;

  get isWithin(): boolean {
    return this.#open?.isWithin === true;
  }

  pass(text: string): void {
    for (const [tag, slash, name = ""] of text.matchAll(/<(\/?)(script|style)\b|>/g)) {
      if (tag === ">") this.#open &&= { ...this.#open, isWithin: true };
      else if (slash === "") this.#open ??= { name, isWithin: false };
      else if (this.#open?.name === name) this.#open = undefined;
    }
  }
}

/** The same key for parts that print the same, although they come from two runs of the same code. */
function partsKey(parts: readonly DocumentPart[], loops: ReadonlyMap<number, number> = new Map()): string {
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
  return renamed(path, loops).key;
}

/** Identifies loops by their depth instead of their number, and computed values by what they compute. */
function renamed(path: AccessPath, loops: ReadonlyMap<number, number>): AccessPath {
  const depth = path.loop && loops.get(path.loop.id);
  const [first, ...others] = path.names;
  const computation = first === undefined ? undefined : rendering().computed.all.get(first);
  return path.with({
    ...(path.loop && depth !== undefined && { loop: { ...path.loop, id: -1 - depth } }),
    ...(computation && { names: [expressionKey(computation.expression, loops), ...others] }),
  });
}

function expressionKey(expression: Expression, loops: ReadonlyMap<number, number>): string {
  const inner = new Map(loops);
  return JSON.stringify(expression, (name, value: unknown) => {
    if (typeof value === "string") {
      const computation = rendering().computed.all.get(value);
      return computation ? expressionKey(computation.expression, loops) : value;
    }
    if (typeof value !== "number" || (name !== "loop" && name !== "id")) return value;
    if (name === "loop" && !inner.has(value)) inner.set(value, inner.size);
    const depth = inner.get(value);
    return depth === undefined ? value : -1 - depth;
  });
}

/**
 * Moves what both cases have in common out of every alternative, so that a choice around a whole element is reduced to
 * the difference: `{{#a}}<p class="x">Hi</p>{{/a}}{{^a}}<p class="y">Hi</p>{{/a}}` becomes
 * `<p class="{{#a}}x{{/a}}{{^a}}y{{/a}}">Hi</p>`. No element is opened in one section and closed in another.
 */
export function factor(parts: readonly DocumentPart[]): DocumentPart[] {
  return parts.flatMap((part): DocumentPart[] => {
    if (part.kind === "each") return [{ ...part, body: factor(part.body) }];
    if (part.kind !== "alternative") return [part];
    const { test } = part;
    const factored: Alternative = { kind: "alternative", test, yes: factor(part.yes), no: factor(part.no) };
    return testsOnlyForItems(factored) ? [...factored.yes] : factorAlternative(factored);
  });
}

/** A section over a list already tests whether the list, and the object that contains it, exist. */
function testsOnlyForItems({ test, yes, no }: Alternative): boolean {
  const [only, ...others] = yes;
  if (only?.kind !== "each" || others.length + no.length > 0) return false;
  if (!["has-items", "present", "truthy"].includes(test.question.kind)) return false;
  const [list, tested] = [only.loop.list.key, test.path.key];
  return list === tested || (test.question.kind === "present" && list.startsWith(`${tested}.`));
}

function factorAlternative(part: Alternative): DocumentPart[] {
  const spelling = new PlaceholderTable();
  const choose: Choose = (yes, no) => spelling.alternative(part.test, yes, no);
  const [yes, no] = [spelling.units(part.yes), spelling.units(part.no)];
  const merged = mergeDocuments(yes, no, choose) ?? merge(yes, no, choose);
  return merged ? spelling.parts(merged) : [part];
}

const PLACEHOLDER = /^\uE002(\d+)\uE003$/;
const PLACEHOLDERS = /(\uE002\d+\uE003)/;

/**
 * Writes parts as HTML with placeholders for all parts that aren't text. Parts that print the same have the same
 * placeholder, so that the results can be compared as strings.
 */
class PlaceholderTable {
  readonly #parts: DocumentPart[] = [];
  readonly #numbers = new Map<string, number>();

  /** Tags (with the placeholders in them), texts, and placeholders. */
  units(parts: readonly DocumentPart[]): string[] {
    const text = parts.map((part) => (part.kind === "text" ? part.text : this.#placeholder(part))).join("");
    return unitsOf(text);
  }

  parts(units: readonly string[]): DocumentPart[] {
    return units
      .join("")
      .split(PLACEHOLDERS)
      .flatMap((text): DocumentPart[] => {
        const number = PLACEHOLDER.exec(text)?.[1];
        const part = number === undefined ? undefined : this.#parts[Number(number)];
        if (part) return [part];
        return text === "" ? [] : [{ kind: "text", text }];
      });
  }

  alternative(test: Test, yes: string, no: string): string {
    return this.#placeholder({ kind: "alternative", test, yes: this.parts([yes]), no: this.parts([no]) });
  }

  #placeholder(part: DocumentPart): string {
    const key = partsKey([part]);
    const number = this.#numbers.get(key) ?? this.#parts.push(part) - 1;
    this.#numbers.set(key, number);
    return `\uE002${number}\uE003`;
  }
}

/**
 * Merges two whole documents, with choices in head and body, because there may be only one of each; undefined if they
 * aren't documents, or differ otherwise.
 */
export function mergeDocuments(yes: readonly string[], no: readonly string[], choose: Choose): string[] | undefined {
  const [first, second] = [readDocument(yes), readDocument(no)];
  if (!first || !second) return undefined;
  const html = zipTags(first.html, second.html, choose);
  const body = zipTags(first.body, second.body, choose);
  const inHead = merge(first.inHead, second.inHead, choose) ?? [choose(first.inHead.join(""), second.inHead.join(""))];
  const inBody = merge(first.inBody, second.inBody, choose) ?? [choose(first.inBody.join(""), second.inBody.join(""))];
  if (html === undefined || body === undefined || removeSites(first.head) !== removeSites(second.head))
    return undefined;
  return [html, first.head, ...inHead, "</head>", body, ...inBody, "</body>", "</html>"];
}

interface Document {
  readonly html: string;
  readonly head: string;
  readonly inHead: readonly string[];
  readonly body: string;
  readonly inBody: readonly string[];
}

function readDocument(units: readonly string[]): Document | undefined {
  const [html = "", head = "", ...rest] = units;
  const headEnd = rest.indexOf("</head>");
  const body = rest[headEnd + 1] ?? "";
  const isDocument = /^<html\b/.test(html) && /^<head\b/.test(head) && headEnd >= 0 && /^<body\b/.test(body);
  if (!isDocument || rest.at(-2) !== "</body>" || rest.at(-1) !== "</html>") return undefined;
  return { html, head, inHead: rest.slice(0, headEnd), body, inBody: rest.slice(headEnd + 2, -2) };
}

/** Merges two tags; an empty attribute that only one of them has makes no difference. */
function zipTags(yes: string, no: string, choose: Choose): string | undefined {
  return zipUnits(withEmpty(yes, no), withEmpty(no, yes), choose);
}

function withEmpty(tag: string, other: string): string {
  const missing = [" class=", " style="].filter((name) => other.includes(name) && !tag.includes(name));
  return missing.reduce((longer, name) => longer.replace(/>$/, `${name}"">`), tag);
}

/** Removes impossible cases: inside "if there is a note", the case that there is none. */
export function prune(parts: readonly DocumentPart[], facts: readonly Fact[] = []): DocumentPart[] {
  return parts.flatMap((part): DocumentPart[] => {
    if (part.kind === "each") {
      const some: Fact = { test: { path: part.loop.list, question: { kind: "has-items" } }, answer: true };
      return [{ ...part, body: prune(part.body, [...facts, some]) }];
    }
    if (part.kind !== "alternative") return [part];
    const { test } = part;
    const answer = impliedByFacts(facts, test);
    if (answer !== undefined) return prune(answer ? part.yes : part.no, facts);
    return [
      {
        ...part,
        yes: prune(part.yes, [...facts, { test, answer: true }]),
        no: prune(part.no, [...facts, { test, answer: false }]),
      },
    ];
  });
}
