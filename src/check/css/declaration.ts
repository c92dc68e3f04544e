import type { MistakeAt } from "../mistake.js";
import { excerpt } from "./excerpt.js";
import type { CssDeclaration } from "./read-css.js";
import type { Span } from "./span.js";
import type { CssToken } from "./tokens.js";

/** Reads a declaration without Mustache tags, as browsers do: what they drop is a mistake. */
export function readDeclaration(span: Span, css: string): CssDeclaration | MistakeAt {
  const offset = span.start;
  const written = excerpt(css.slice(span.start, span.end));
  const mistake = (message: string, hint?: string): MistakeAt => ({
    offset,
    message,
    ...(hint !== undefined && { hint }),
  });
  const [first, second] = span.tokens;
  if (first?.text === "/" && second?.text === "/" && second.start === first.end)
    return mistake(`\`//\` begins no comment in CSS: mail clients drop \`${written}\`.`, "Write `/* … */`.");
  if (first?.text === "$" && second?.kind === "ident")
    return mistake(`\`${written}\` is a preprocessor's: mail clients drop it.`, "Compile it to CSS first.");

  const isHack = first?.kind === "delim" && second?.start === first.end;
  const tokens = isHack ? span.tokens.slice(1) : span.tokens;
  const [name, colon, ...rest] = tokens;
  const broken = span.tokens.find(isBroken);
  if (broken?.kind === "string" || broken?.kind === "bad-string")
    return mistake(`The quote in \`${written}\` is never closed: it takes in what follows.`);
  if (span.unclosed || broken)
    return mistake(`A bracket in \`${written}\` is never closed: it takes in what follows.`, "Add `)`.");
  if ((name?.kind !== "ident" && name?.kind !== "hash") || colon?.kind !== ":")
    return mistake(...withoutColon(written, span.tokens));
  if (name.kind === "hash" || isHack || name.text.startsWith("--"))
    return { property: css.slice(offset, name.end), value: css.slice(colon.end, span.end).trim(), offset };

  if (rest.length === 0) return mistake(`\`${written}\` has no value: mail clients drop it.`);
  const slash = rest.find(({ text, end }, index) => text === "/" && isSlashAt(rest[index + 1], end));
  const following = nextProperty(name.text, rest);
  if (slash && !(following && following.start < slash.start))
    return mistake(`\`//\` begins no comment in CSS: mail clients drop \`${written}\`.`, "Write `/* … */`.");
  if (following && !css.slice(following.end).trimStart().startsWith("://"))
    return mistake(
      `A \`;\` is missing before \`${following.text}\`: mail clients drop \`${written}\`.`,
      `Write \`;\` before \`${following.text}\`.`,
    );

  const mark = rest.findIndex(({ text }) => text === "!");
  const word = rest[mark + 1]?.text.toLowerCase();
  // Old versions of Internet Explorer took any word.
  if (mark >= 0 && word !== "important" && word !== "ie")
    return mistake(`\`!${word ?? ""}\` is not \`!important\`: mail clients drop \`${written}\`.`);
  if (mark >= 0 && rest.length > mark + 2)
    return mistake(`\`!important\` has to be the last: mail clients drop \`${written}\`.`);
  const end = rest[mark]?.start ?? span.end;
  return { property: name.text, value: css.slice(colon.end, end).trim(), offset };
}

function withoutColon(written: string, tokens: readonly CssToken[]): [message: string, hint?: string | undefined] {
  const [first, second] = tokens;
  if (first?.kind !== "ident") return [`\`${written}\` is no declaration: mail clients drop it.`];
  const hint = second && `Write \`${first.text}: …\`.`;
  return [`\`${written}\` has no colon: mail clients drop it.`, hint];
}

/** A string, an address or a comment that goes on to where nobody wanted it. */
export function isBroken({ kind, text }: CssToken): boolean {
  if (kind === "bad-string" || kind === "bad-url") return true;
  if (kind === "url") return !text.endsWith(")");
  return kind === "string" && (text.length === 1 || text.at(-1) !== text[0]);
}

function isSlashAt(token: CssToken | undefined, at: number): boolean {
  return token?.text === "/" && token.start === at;
}

/** The name of a declaration that begins in the value of another. */
function nextProperty(property: string, value: readonly CssToken[]): CssToken | undefined {
  if (/filter$/i.test(property)) return undefined;
  let open = 0;
  for (const [index, token] of value.entries()) {
    if (/\($|^\[$/.test(token.text) && token.kind !== "string") open += 1;
    else if (token.kind === ")" || token.kind === "]") open -= 1;
    const isName = token.kind === "ident" && token.text.toLowerCase() !== "progid";
    if (isName && open === 0 && value[index + 1]?.kind === ":") return token;
  }
  return undefined;
}
