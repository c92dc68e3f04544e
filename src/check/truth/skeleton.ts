import { type OpenTag, scanMarkup, VOID_ELEMENTS } from "../../markup/scan.js";
import { restore, TOKEN, type TagTable } from "../../mustache/tokens.js";

/**
 * A body with only what decides how its html is built: tags, conditional comments, and Mustache. A small part of its
 * length, so that filling and reading it costs little.
 *
 * @example
 * skeleton('<p style="margin:0">Hi \uE0000\uE001</p>', [{ text: "{{name}}" }]); // "<p>{{name}}</p>"
 *
 * @param html Tokenised.
 */
export function skeleton(html: string, tags: TagTable): string {
  return restore(bare(html), tags, "html");
}

const HIDDEN_BLOCK = /^(<!--\[if [^\]]*\]>)(?!<!--)([^]*)(<!\[endif\]-->)$/;

/** Most of a body, and without Mustache: taken out at once, it has not to be read piece by piece. */
const PLAIN_ATTRIBUTE = /\s[a-z-]+="[^"<>\uE000\uE001]+"/gi;

function bare(html: string): string {
  const parts: string[] = [];
  const left = html.replace(PLAIN_ATTRIBUTE, " ");
  for (const piece of scanMarkup(left).pieces) {
    if (piece.kind === "close") {
      // What holds no Mustache is the same in every row.
      if (parts.at(-1) === `<${piece.name}>`) parts.pop();
      else parts.push(`</${piece.name}>`);
      continue;
    }
    const text = left.slice(piece.start, piece.end);
    if (piece.kind === "open") parts.push(bareTag(piece, left));
    else if (piece.kind === "comment") parts.push(bareComment(text));
    else if (piece.kind === "text") parts.push(tokens(text));
    else if (/\[(?:if|endif)/.test(text)) parts.push(text);
    if (parts.at(-1) === "") parts.pop();
  }
  return parts.join("");
}

function bareComment(comment: string): string {
  const [, start, content = "", end] = HIDDEN_BLOCK.exec(comment) ?? [];
  if (start !== undefined && end !== undefined) {
    const inner = bare(content);
    return inner && start + inner + end;
  }
  if (/\[if\b|\[endif\]/.test(comment)) return comment;
  return hasToken(comment) ? `<!--${tokens(comment)}-->` : "";
}

function bareTag({ name, attributes, selfClosing }: OpenTag, html: string): string {
  const kept = attributes
    .filter((attribute) => hasToken(attribute.name) || hasToken(attribute.value))
    .map((attribute) => {
      if (attribute.value === "") return ` ${attribute.name}`;
      const [quote = ""] = /["']/.exec(html.charAt(attribute.valueStart - 1)) ?? [];
      return ` ${attribute.name}=${quote}${tokens(attribute.value)}${quote}`;
    });
  if (kept.length === 0 && (selfClosing || VOID_ELEMENTS.has(name))) return "";
  return `<${name}${kept.join("")}${selfClosing ? "/" : ""}>`;
}

function hasToken(text: string): boolean {
  return text.includes("\uE000");
}

function tokens(text: string): string {
  return hasToken(text) ? (text.match(TOKEN) ?? []).join("") : "";
}
