import type { CssNode } from "css-tree";
import type { Mistake } from "../mistake.js";
import { excerpt } from "./excerpt.js";
import { type CssToken, isBlank } from "./tokens.js";

/** A mistake, and whether it swallows the CSS after it. */
export interface DeclarationMistake extends Mistake {
  readonly isOpen?: boolean;
}

const COMMENT = "Write `/* … */`.";

/** Finds the mistake in a declaration without Mustache tags, or in text that css-tree could not parse as a declaration. */
export function mistakeInDeclaration(
  node: Extract<CssNode, { type: "Declaration" | "Raw" }>,
  all: readonly CssToken[],
): DeclarationMistake | undefined {
  const tokens = all.filter((token) => !isBlank(token));
  const written = excerpt(all.map(({ text }) => text).join(""));
  const [first, second] = tokens;
  if (first?.text === "$" && second?.kind === "ident")
    return {
      message: `\`${written}\` is preprocessor syntax, not CSS: email clients ignore it.`,
      hint: "Compile it to CSS first.",
    };
  if (written.startsWith("//"))
    return { message: `\`//\` does not start a comment in CSS: email clients ignore \`${written}\`.`, hint: COMMENT };
  const broken = tokens.find(isBroken);
  if (broken?.kind === "string" || broken?.kind === "bad-string")
    return { message: `The quote in \`${written}\` is never closed and swallows the CSS after it.`, isOpen: true };
  if (broken || unclosedBracket(tokens))
    return {
      message: `A bracket in \`${written}\` is never closed and swallows the CSS after it.`,
      hint: "Add `)`.",
      isOpen: true,
    };
  if (node.type === "Raw") return withoutColon(written, tokens);
  // Custom properties and hacks for old clients accept any value.
  if (!/^-?[a-z]/i.test(node.property)) return undefined;

  const value = tokens.slice(tokens.findIndex(({ text }) => text === ":") + 1);
  if (value.length === 0) return { message: `\`${written}\` has no value: email clients ignore it.` };
  if (hasSlashes(value))
    return { message: `\`//\` does not start a comment in CSS: email clients ignore \`${written}\`.`, hint: COMMENT };
  const following = nextProperty(node.property, value);
  if (following)
    return {
      message: `A \`;\` is missing before \`${following.text}\`: email clients ignore \`${written}\`.`,
      hint: `Add \`;\` before \`${following.text}\`.`,
    };
  // Old versions of Internet Explorer accepted any word.
  if (typeof node.important === "string" && !/^(?:important|ie)$/i.test(node.important))
    return { message: `\`!${node.important}\` is not \`!important\`: email clients ignore \`${written}\`.` };
  return undefined;
}

function withoutColon(written: string, [first, second]: readonly CssToken[]): Mistake {
  if (first?.kind !== "ident") return { message: `\`${written}\` is not a declaration: email clients ignore it.` };
  return {
    message: `\`${written}\` has no colon: email clients ignore it.`,
    ...(second && { hint: `Write \`${first.text}: …\`.` }),
  };
}

/** Whether a string or URL is not closed where it should be. */
function isBroken({ kind, text }: CssToken): boolean {
  if (kind === "bad-string" || kind === "bad-url") return true;
  if (kind === "url") return !text.endsWith(")");
  return kind === "string" && (text.length === 1 || text.at(-1) !== text[0]);
}

/** The first opening bracket without a closing one. */
export function unclosedBracket(tokens: readonly CssToken[]): CssToken | undefined {
  const open: CssToken[] = [];
  for (const token of tokens) {
    if (token.kind === "(" || token.kind === "[" || token.kind === "function") open.push(token);
    else if (token.kind === ")" || token.kind === "]") open.pop();
  }
  return open[0];
}

/** Whether a value contains `//` outside a URL. */
function hasSlashes(tokens: readonly CssToken[]): boolean {
  return tokens.some(({ text, end }, index) => {
    const next = tokens[index + 1];
    return text === "/" && next?.text === "/" && next.start === end && tokens[index - 1]?.text !== ":";
  });
}

/** The property name of a declaration that starts inside the value of another. */
function nextProperty(property: string, value: readonly CssToken[]): CssToken | undefined {
  if (/filter$/i.test(property)) return undefined;
  let open = 0;
  for (const [index, token] of value.entries()) {
    if (/\($|^\[$/.test(token.text) && token.kind !== "string") open += 1;
    else if (token.kind === ")" || token.kind === "]") open -= 1;
    const isName = token.kind === "ident" && token.text.toLowerCase() !== "progid";
    const [colon, next] = value.slice(index + 1);
    // The scheme of a URL is not a property: `http://…`.
    if (isName && open === 0 && colon?.text === ":" && next?.text !== "/") return token;
  }
  return undefined;
}
