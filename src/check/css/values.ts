import type * as grammarModule from "./grammar.js";
import { Latest } from "../../latest.js";
import type { Mistake } from "../mistake.js";
import { excerpt } from "./excerpt.js";
import type { CssAtRule, CssDeclaration } from "./read-css.js";
import { cssTokens } from "./tokens.js";
import { typoOf } from "./typo.js";

/** What CSS knows. */
export type Grammar = typeof grammarModule;

let loading: Promise<Grammar> | undefined;

/** Loads what CSS knows, once: its tables are large. */
export function loadGrammar(): Promise<Grammar> {
  loading ??= import("./grammar.js");
  return loading;
}

/** Styles say the same again and again. */
const told = new Latest<{ readonly said: Mistake | undefined }>(5000);

/**
 * What mail clients don't take of a declaration; undefined where it is fine, and where nothing can be told.
 *
 * @example
 * mistakeInValue({ property: "color", value: "blakc" }, await loadGrammar());
 * // { message: "`blakc` is no value of `color`: …", hint: "Did you mean `black`?" }
 */
export function mistakeInValue(
  { property, value }: Pick<CssDeclaration, "property" | "value">,
  grammar: Grammar,
): Mistake | undefined {
  const key = `${property}:${value}`;
  const known = told.get(key);
  if (known) return known.said;
  const said = /^mso-|^[^a-z]/i.test(property) ? undefined : judge(property.toLowerCase(), value, grammar);
  told.set(key, { said });
  return said;
}

/** What an at-rule of a stylesheet most likely was to be, where there is none of its name. */
export function mistakeInName({ name }: Pick<CssAtRule, "name">, { AT_RULES }: Grammar): Mistake | undefined {
  const meant = AT_RULES.includes(name) || name.startsWith("-") ? undefined : typoOf(name, AT_RULES);
  if (meant === undefined) return undefined;
  return {
    message: `There is no \`@${name}\`: mail clients drop it with all that is in it.`,
    hint: didYouMean(`@${meant}`),
  };
}

/** What is for one client alone, or is known only where it is shown. */
const UNSURE =
  /\\|\b(?:var|env|constant|attr|if|expression|alpha|chroma)\(|progid|(?<![\w-])-(?:webkit|moz|ms|o|khtml|apple|epub)-|\{\{/i;

function judge(property: string, value: string, grammar: Grammar): Mistake | undefined {
  if (!grammar.isProperty(property)) {
    const meant = typoOf(property, grammar.PROPERTIES);
    if (meant === undefined) return undefined;
    return { message: `There is no property \`${property}\`: mail clients drop it.`, hint: didYouMean(meant) };
  }
  if (UNSURE.test(value)) return undefined;
  const curly = /[“”„‟‘’‚]/.exec(value.replaceAll(/"[^"]*"|'[^']*'/g, ""));
  if (curly)
    return {
      message: `The quotes of \`${excerpt(`${property}: ${value}`)}\` are no quotes in CSS, but a part of the name.`,
      hint: "Write ' or \" instead.",
    };
  const plain = value.replaceAll(/\/\*[^]*?\*\//g, " ").trim();
  if (NEVER_NEGATIVE.test(property) && NEGATIVE.test(plain))
    return { message: `\`${property}\` can't be negative: mail clients drop \`${excerpt(plain)}\`.` };
  if (grammar.takes(property, plain)) return undefined;
  const takes = (other: string): boolean => other !== plain && grammar.takes(property, other);
  return {
    message: `\`${excerpt(plain)}\` is no value of \`${property}\`: mail clients drop it.`,
    ...mend(plain, { takes, words: () => grammar.wordsOf(property) }),
  };
}

/** Css-tree knows no least value of theirs. */
const NEVER_NEGATIVE =
  /^(?:(?:min-|max-)?(?:width|height)|padding(?:-\w+)*|line-height|font-size|border(?:-\w+)?-(?:width|radius)|border-spacing)$/;
const NEGATIVE = /(?<![\w.(-])-(?:\d|\.\d)(?![^(]*\))/;

interface Taking {
  readonly takes: (value: string) => boolean;
  readonly words: () => readonly string[];
}

/** What was meant, where one change makes it a value. */
function mend(value: string, { takes, words }: Taking): { readonly hint?: string } {
  const digits = /#([0-9a-f]+)(?![\w-])/i.exec(value)?.[1];
  if (digits !== undefined && ![3, 4, 6, 8].includes(digits.length))
    return { hint: `A colour has 3, 4, 6 or 8 digits; \`#${digits}\` has ${digits.length}.` };
  const tries: readonly (readonly [why: string, other: string])[] = [
    ["The unit is missing", value.replaceAll(NUMBER, (number) => (Number(number) === 0 ? number : `${number}px`))],
    ["The number and its unit belong together", value.replaceAll(APART, "$1$2")],
    ["The values are not separated by commas", value.replaceAll(/\s*,\s*/g, " ")],
    ["The `#` is missing", value.replaceAll(/(?<![\w#.-])(?:[0-9a-f]{6}|[0-9a-f]{3})(?![\w.%-])/gi, "#$&")],
    ["An address stands in `url()`", value.replaceAll(/(?<![("'])https?:\/\/[^\s,]+/gi, "url($&)")],
    ["There is no such unit", value.replaceAll(/(?<![\w#.-])(\d*\.?\d+)[a-z]{1,4}\b/gi, "$1px")],
  ];
  const found = tries.find(([, other]) => takes(other));
  if (found) return { hint: `${found[0]}: write \`${excerpt(found[1])}\`.` };
  for (const { kind, text, start, end } of cssTokens(value)) {
    const meant = kind === "ident" ? typoOf(text, words()) : undefined;
    const other = meant !== undefined && value.slice(0, start) + meant + value.slice(end);
    if (meant !== undefined && other !== false && takes(other)) return { hint: didYouMean(meant) };
  }
  return {};
}

const NUMBER = /(?<![\w.#%-]|[\w)]\s?[-+*/] ?)[-+]?\d*\.?\d+(?![\w.%])/g;
const APART = /(?<![\w.#-])([-+]?\d*\.?\d+)\s+(px|pt|em|rem|%)(?![\w%])/gi;

function didYouMean(name: string): string {
  return `Did you mean \`${name}\`?`;
}
