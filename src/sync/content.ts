import { createHash } from "node:crypto";
import type { TemplateFields } from "../project/template.js";
import type { VariablesContract } from "../mustache/variables.js";

/** A template's content without its name; the description is the author's, without a marker. */
export type Content = Omit<TemplateFields, "name">;

export type ContentField = keyof Content;

/** The texts with Mustache tags. */
export function mustacheTexts({ subject, html_body, text_body }: Omit<Content, "description">): string[] {
  return [subject, html_body, text_body];
}

/** In reading order: what an email says before how it looks. */
export const contentFields: readonly ContentField[] = ["subject", "description", "text_body", "html_body"];

/**
 * A hash of 60 bits, as ten characters of base64url. Contents that differ only in ways in which services change texts
 * when they store them (line ends, spaces at the ends of lines and of the text) have the same hash.
 *
 * @example
 * contentHash({ subject: "Hi", description: "", html_body: "<p>Hi</p>\r\n", text_body: "Hi" }); // "u0Yw3kq_Zb"
 */
export function contentHash(content: Content): string {
  const hash = hashes.get(content) ?? hashOf(content, canonical);
  hashes.set(content, hash);
  return hash;
}

const hashes = new WeakMap<Content, string>();

/** A hash of a content's words, which usually stay the same when a service alters a content. */
export function wordsHash(content: Content): string {
  return hashOf(content, wordsOf);
}

function hashOf(content: Content, read: (text: string) => string): string {
  const hash = createHash("sha256");
  for (const field of contentFields) hash.update(`${field}\0${read(content[field])}\0`);
  return hash.digest("base64url").slice(0, 10);
}

/** Whether two texts are the same, apart from changes that a service may make when it stores them. */
export function isSameText(a: string, b: string): boolean {
  return a === b || canonical(a) === canonical(b);
}

/** Whether a string is the beginning of another, or all of it. */
export function isBeginningOf(whole: string, beginning: string): boolean {
  return canonical(whole).startsWith(canonical(beginning));
}

/** Whether two strings have the same words and numbers, which usually stay the same when a service alters a string. */
export function hasSameWords(a: string, b: string): boolean {
  return wordsOf(a) === wordsOf(b);
}

function wordsOf(text: string): string {
  return text
    .normalize()
    .toLowerCase()
    .replace(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|\w+);/g, (_, hex?: string, decimal?: string) => {
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code <= 0x10ffff ? String.fromCodePoint(code).toLowerCase() : "";
    })
    .replace(/[^\p{L}\p{N}]/gu, "");
}

export function pickContent({ description, subject, html_body, text_body }: Content): Content {
  return { description, subject, html_body, text_body };
}

function canonical(text: string): string {
  const unified = text.normalize().replace(/\r\n?/g, "\n").trim();
  const hasBlankEnds = unified.includes(" \n") || unified.includes("\t\n");
  return hasBlankEnds ? unified.replace(/[ \t]+$/gm, "") : unified;
}

/** A compiled template in the form that sync uploads. */
export interface LocalTemplate {
  /** The name on the service, including the environment's affixes. */
  readonly name: string;
  /** The name in the project. */
  readonly template: string;
  readonly content: Content;
  /** Absent if only bodies are known, as when one environment's templates are promoted to another. */
  readonly contract?: VariablesContract;
  /**
   * The contract's identifier, which may be known even if the contract is absent. Default: derived from the contract.
   */
  readonly contractName?: string;
  /**
   * The backup file that the template is restored from, for display. A restored template counts as an edit on the
   * service: the marker and the lock still name what this project applied last, so that later runs hold it back.
   */
  readonly backup?: string;
  /** Its previous name on the service. */
  readonly renamedFrom?: string;
  /** It was edited in the environment that it is promoted from, after it was applied there. */
  readonly isDrifted?: true;
  /** The files that it was made from, relative to the project, with `/`. */
  readonly sources: readonly string[];
}
