import { nearest } from "../../nearest.js";
import { mistakeInMedia } from "../css/media-query.js";
import { typoOf } from "../css/typo.js";
import type { Grammar } from "../css/values.js";
import { mistakeInColour } from "./colour.js";
import { mistakeInCount, mistakeInDimension, mistakeInPixels } from "./dimension.js";
import { isLanguageTag, languageTagFor } from "./language-tag.js";
import type { Mistake } from "../mistake.js";
import { IGNORED, notOneOf } from "./one-of.js";

/** An attribute of an element, without Mustache tags in it. */
export interface GivenValue {
  readonly element: string;
  readonly attribute: string;
  readonly value: string;
}

/**
 * What is wrong with an attribute's value; undefined where it is fine, and where nothing can be told.
 *
 * @example
 * mistakeInAttribute({ element: "td", attribute: "align", value: "centre" }, await loadGrammar());
 * // { message: "`centre` is no value of `align`: mail clients ignore it.", hint: "Did you mean `center`?" }
 */
export function mistakeInAttribute(given: GivenValue, grammar: Grammar): Mistake | undefined {
  const { element, attribute } = given;
  const value = given.value.trim();
  if (value === "") return undefined;
  const own = OF_ELEMENT[element]?.[attribute];
  const judge = own ?? (Object.hasOwn(EVERYWHERE, attribute) ? EVERYWHERE[attribute] : undefined);
  return judge?.(value, attribute, grammar);
}

type Judge = (value: string, attribute: string, grammar: Grammar) => Mistake | undefined;

function words(text: string, effect = IGNORED): Judge {
  const known = text.split(" ");
  return (value, attribute) => {
    if (known.includes(value.toLowerCase())) return undefined;
    const said = notOneOf(value, attribute, known, effect);
    const meant = MEANT[value.toLowerCase()] ?? nearest(value, known);
    return meant !== undefined && known.includes(meant) ? { ...said, hint: `Did you mean \`${meant}\`?` } : said;
  };
}

/** What another attribute, or another language, calls it. */
const MEANT: Readonly<Record<string, string>> = {
  centre: "center",
  centered: "center",
  center: "middle",
  true: "_blank",
};

const colour: Judge = (value, attribute, grammar) => mistakeInColour(attribute, value, grammar);
const dimension: Judge = (value, attribute) => mistakeInDimension(attribute, value);
const pixels: Judge = (value, attribute) => mistakeInPixels(attribute, value);
const count: Judge = (value, attribute) => mistakeInCount(attribute, value);

const language: Judge = (value, attribute) => {
  if (isLanguageTag(value)) return undefined;
  const meant = languageTagFor(value);
  return {
    message: `\`${value}\` is no value of \`${attribute}\`: no language has this tag.`,
    hint: meant === undefined ? "Write it as BCP 47 has it, such as en, pt-BR or zh-Hant." : `Write \`${meant}\`.`,
  };
};

const TARGETS = ["_blank", "_self", "_parent", "_top"];

/** A name of one's own is one of a window. */
const target: Judge = (value, attribute) => {
  const name = value.toLowerCase();
  if (TARGETS.includes(name)) return undefined;
  const meant = TARGETS.find((each) => each === `_${name}`) ?? typoOf(name, TARGETS) ?? typoOf(`_${name}`, TARGETS);
  if (meant === undefined) return undefined;
  return {
    message: `\`${value}\` is no value of \`${attribute}\`, but a window's name.`,
    hint: `Did you mean \`${meant}\`?`,
  };
};

/** One or several names, of which there are more than are listed. */
function names(text: string): Judge {
  const known = text.split(" ");
  return (value, attribute) => {
    for (const each of value.toLowerCase().split(/\s+/)) {
      const meant = known.includes(each) ? undefined : typoOf(each, known);
      if (meant !== undefined) return { ...notOneOf(each, attribute, known), hint: `Did you mean \`${meant}\`?` };
    }
    return undefined;
  };
}

const media: Judge = (value, attribute) => {
  const said = mistakeInMedia(value);
  return said && { ...said, message: said.message.replace(/^`@media /, `\`${attribute}: `) };
};

const styleType = words("text/css", "mail clients ignore the whole element");
const namespace =
  (address: string): Judge =>
  (value, attribute) =>
    value === address
      ? undefined
      : { message: `\`${value}\` is not the address that \`${attribute}\` stands for.`, hint: `Write \`${address}\`.` };

const EVERYWHERE: Readonly<Record<string, Judge>> = {
  lang: language,
  "xml:lang": language,
  dir: words("ltr rtl auto"),
  "aria-hidden": words("true false", "screen readers ignore it"),
  translate: words("yes no"),
};

const IN_CELL: Readonly<Record<string, Judge>> = {
  align: words("left center right justify char middle"),
  valign: words("top middle bottom baseline"),
  bgcolor: colour,
};
const SIZE: Readonly<Record<string, Judge>> = { width: dimension, height: dimension };
const CELL = { ...IN_CELL, ...SIZE, colspan: count, rowspan: count, scope: words("row col rowgroup colgroup") };
const PICTURE = {
  ...SIZE,
  align: words("left right top middle bottom center baseline texttop absmiddle absbottom"),
  border: pixels,
  hspace: pixels,
  vspace: pixels,
};
const BLOCK = { align: words("left center right justify middle") };
const LINK = {
  target,
  rel: names("noopener noreferrer nofollow external author help license opener"),
  hreflang: language,
};

const OF_ELEMENT: Readonly<Record<string, Readonly<Record<string, Judge>>>> = {
  html: {
    // What the language of the whole is has a rule of its own.
    lang: () => undefined,
    xmlns: namespace("http://www.w3.org/1999/xhtml"),
    "xmlns:v": namespace("urn:schemas-microsoft-com:vml"),
    "xmlns:o": namespace("urn:schemas-microsoft-com:office:office"),
    "xmlns:w": namespace("urn:schemas-microsoft-com:office:word"),
  },
  body: { bgcolor: colour, text: colour, link: colour, vlink: colour, alink: colour },
  table: {
    ...SIZE,
    align: words("left center right"),
    bgcolor: colour,
    cellpadding: pixels,
    cellspacing: pixels,
    border: pixels,
  },
  thead: IN_CELL,
  tbody: IN_CELL,
  tfoot: IN_CELL,
  tr: { ...IN_CELL, height: dimension },
  td: CELL,
  th: CELL,
  col: { ...IN_CELL, width: dimension, span: count },
  colgroup: { ...IN_CELL, width: dimension, span: count },
  p: BLOCK,
  div: BLOCK,
  h1: BLOCK,
  h2: BLOCK,
  h3: BLOCK,
  h4: BLOCK,
  h5: BLOCK,
  h6: BLOCK,
  hr: { align: words("left center right"), width: dimension, size: pixels, color: colour },
  img: PICTURE,
  font: { color: colour },
  a: LINK,
  area: LINK,
  base: { target },
  br: { clear: words("left right all none both") },
  style: { type: styleType, media },
  link: { media, rel: names("stylesheet preconnect preload icon alternate dns-prefetch") },
};
