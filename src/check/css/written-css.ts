import { memoizeByObject, memoizeByString } from "../../cache/memoize.js";
import path from "node:path";
import type { SourcePosition } from "../../diagnostic.js";
import { scanMarkup, type Attribute } from "../../text/markup/scan.js";
import { positionAt } from "../../text/position.js";
import type { EmailDocument } from "../document/email-document.js";
import { textOfSheet } from "../document/stylesheet.js";
import { masked, withoutEntities } from "./declaration.js";
import type { CssKind } from "./read-css.js";

/** CSS that a user wrote. */
interface WrittenCss {
  readonly kind: CssKind;
  readonly text: string;
  readonly at: (offset: number) => SourcePosition;
}

interface Region {
  readonly kind: CssKind;
  readonly text: string;
  readonly start: number;
}

/**
 * The stylesheets and style attributes in a template's source files. Components build their CSS when they run, so for them
 * this returns the stylesheets in the compiled HTML.
 */
export const writtenCss = memoizeByObject((document: EmailDocument): readonly WrittenCss[] => {
  const written = [...document.input.sources].flatMap(([file, text]) => {
    return regionsOf(file, text).map(({ kind, text: css, start }): WrittenCss => {
      return { kind, text: css, at: (offset) => ({ file, ...positionAt(text, start + offset) }) };
    });
  });
  return isMarkup([...document.input.sources.keys()][0] ?? "") ? written : [...written, ...sheetsOf(document)];
});

/** Skips `<style>` elements without a source position: a package's component wrote them. */
function sheetsOf(document: EmailDocument): WrittenCss[] {
  return document.named("style").flatMap((element) => {
    const text = textOfSheet(element);
    if (!element.place || !isCss(element.attribute("type"))) return [];
    return [{ kind: "sheet", text, at: (offset) => document.positionWithin(text, offset) ?? element.at() }];
  });
}

function regionsOf(file: string, text: string): readonly Region[] {
  if (path.extname(file).toLowerCase() === ".css") return [{ kind: "sheet", text, start: 0 }];
  return isMarkup(file) ? regionsIn(text) : [];
}

/** Templates share files. */
const regionsIn = memoizeByString(50, (text): readonly Region[] => {
  const regions: Region[] = [];
  const { pieces } = scanMarkup(masked(text).text);
  for (const [index, piece] of pieces.entries()) {
    if (piece.kind === "comment") regions.push(...regionsForOutlook(text.slice(piece.start, piece.end), piece.start));
    if (piece.kind !== "open") continue;
    const { name, attributes } = piece;
    const type = attributes.find((attribute) => attribute.name.toLowerCase() === "type")?.value;
    const next = pieces[index + 1];
    if ((name === "style" || name === "mj-style") && next?.kind === "text" && isCss(type))
      regions.push({ kind: "sheet", text: withoutCdata(text.slice(next.start, next.end)), start: next.start });
    if (name.startsWith("mj-")) regions.push(...attributes.flatMap((attribute) => regionsForMjml(attribute, text)));
    const style = attributes.find((attribute) => attribute.name.toLowerCase() === "style");
    // VML elements have properties that CSS does not know.
    if (!style || name.startsWith("mj-") || name.includes(":")) continue;
    const value = text.slice(style.valueStart, style.valueStart + style.value.length);
    regions.push({ kind: "style", text: withoutEntities(value), start: style.valueStart });
  }
  // Blocks of other template languages are reported by foreign-syntax.
  return regions.filter((region) => !/\{%|<%/.test(region.text));
});

/**
 * The attributes that MJML copies unchanged into a declaration. Attributes with a type are checked when the template is
 * compiled.
 */
const DECLARATION =
  /^(?:(?:inner-|tb-)?border(?:-radius|-top|-right|-bottom|-left)?|border-style|font-(?:style|weight)|(?:ico-)?text-(?:decoration|transform)|background-(?:size|position(?:-[xy])?))$/;

/** Reads `inner-border="1px solid"` as `      border: 1px solid`, which keeps the offsets. */
function regionsForMjml({ name, start, value, valueStart }: Attribute, text: string): Region[] {
  if (!DECLARATION.test(name)) return [];
  const property = name.replace(/^(?:inner|tb|ico)-/, "");
  const written = text.slice(valueStart, valueStart + value.length);
  const declaration = `${property.padStart(name.length)}:`.padEnd(valueStart - start) + withoutEntities(written);
  return [{ kind: "style", text: declaration, start }];
}

const END_OF_CONDITION = "<![endif]-->";

/** The CSS in a conditional comment. */
function regionsForOutlook(comment: string, start: number): Region[] {
  const openingLength = /^<!--\[if[^\]]*\]>/.exec(comment)?.[0].length;
  if (openingLength === undefined || !comment.endsWith(END_OF_CONDITION)) return [];
  const inner = comment.slice(openingLength, -END_OF_CONDITION.length);
  return regionsIn(inner).map((region) => ({ ...region, start: start + openingLength + region.start }));
}

/** Replaces CDATA markers with spaces. */
function withoutCdata(css: string): string {
  return css.replaceAll(/<!\[CDATA\[|\]\]>/g, (marker) => " ".repeat(marker.length));
}

function isMarkup(file: string): boolean {
  return /\.(?:html?|mjml)$/i.test(file);
}

function isCss(type: string | undefined): boolean {
  return type === undefined || type === "" || /^\s*text\/css\s*$/i.test(type);
}
