import type { Diagnostic, SourcePosition } from "../../diagnostic.js";
import { parse } from "../../mustache/parse.js";
import { positionNear, restore, tagAt, type Tokenised } from "../../mustache/tokens.js";
import { bodiesOf, type Compilation } from "../restore.js";
import { scanMarkup } from "../../text/markup/scan.js";
import { positionAt } from "../../text/position.js";
import type { SourceFile } from "../../project/template.js";

const ACCIDENT = /\bNaN(?:px|%)?\b|\bundefined\b|\[object Object\]/;

/** "undefined" printed by JavaScript for a missing variable, in a section for exactly that case. */
const ASKED = /\uE000(\d+)\uE001[^\uE000"]*?\bundefined\b/g;

/** Text that looks like the beginning of a tag: two braces, or one directly before a tag. */
const BRACES = /\{[{\uE000]/;

/** Invariant 3: the bodies are valid Mustache, and contain nothing that only a mistake in compiling leaves there. */
export function checkResidue(compilation: Compilation): Diagnostic[] {
  const { html, template } = compilation;
  const diagnostics: Diagnostic[] = [];
  const report = (message: string, at: Diagnostic["at"], hint?: string) => {
    const place = at ?? { file: template.body.file };
    diagnostics.push({
      rule: "output-residue",
      severity: "error",
      message,
      at: place,
      ...(hint !== undefined && { hint }),
    });
  };

  for (const { field, content, as } of bodiesOf(compilation)) {
    const restored = restore(content.text, content.tags, as);
    const brace = BRACES.exec(content.text);
    if (brace) {
      const message = `The compiled ${field} contains the text "${shown(brace[0])}", which Mustache would read as a tag.`;
      const at =
        positionOfBraces(template.body) ??
        positionNear(content, brace.index + brace[0].length) ??
        positionOfText(content, brace.index, template.body);
      report(message, at, "Put something between the braces.");
      continue;
    }
    for (const { message, offset, hint } of parse(restored).problems) {
      const tag = tagAt(content, as, offset);
      report(`In the compiled ${field}: ${message}`, content.tags[tag ?? -1]?.at, hint);
    }
    if (/[\uE000\uE001]/.test(restored)) report(`A tag of ${field} could not be restored.`, undefined);
  }
  const accident = accidentIn(html);
  if (accident && !template.body.text.includes(accident.text)) {
    const at = positionNear(html, accident.offset) ?? positionOfValue(html.text, accident.offset, template.body);
    report(`The compiled HTML contains "${accident.text}" in ${accident.tag}.`, at);
  }
  return diagnostics;
}

/** The position of two braces in the source, one of them an entity, or separated only by HTML tags. */
function positionOfBraces({ file, text }: SourceFile): SourcePosition | undefined {
  const offset = text.search(PARTED_BRACES);
  return offset < 0 ? undefined : { file, ...positionAt(text, offset) };
}

const ENTITY = "&(?:#0*123|#x0*7b|lbrace|lcub);";
const PARTED_BRACES = new RegExp(
  String.raw`${ENTITY}(?:<[^<>]*>)*(?:\{|${ENTITY})|\{(?:<[^<>]*>)*${ENTITY}|\{(?:<[^<>]*>)+\{`,
  "i",
);

/** The source position of a text in the output, up to its first tag. */
function positionOfText({ text }: Tokenised, from: number, source: SourceFile): SourcePosition | undefined {
  const [written = ""] = /^\{+[^<&\uE000]*/.exec(text.slice(from)) ?? [];
  const offset = source.text.indexOf(written);
  return offset < 0 ? undefined : { file: source.file, ...positionAt(source.text, offset) };
}

/** The source position of a unique attribute value that the element at an offset has, too. */
function positionOfValue(html: string, from: number, { file, text }: SourceFile): SourcePosition | undefined {
  const tag = scanMarkup(html).pieces.find((piece) => piece.start === from);
  for (const { value } of tag?.kind === "open" ? tag.attributes : []) {
    const offset = value.length > 3 ? text.indexOf(`"${value}"`) : -1;
    if (offset >= 0 && text.indexOf(`"${value}"`, offset + 1) < 0) return { file, ...positionAt(text, offset) };
  }
  return undefined;
}

function shown(brace: string): string {
  return brace.replace("\uE000", "{{…}}");
}

/** Only in tags: in text, the author may have written it. */
function accidentIn({ text, tags }: Tokenised): { text: string; tag: string; offset: number } | undefined {
  if (!ACCIDENT.test(text)) return undefined;
  for (const piece of scanMarkup(text).pieces) {
    if (piece.kind !== "open" && piece.kind !== "comment") continue;
    const written = text
      .slice(piece.start, piece.end)
      .replace(ASKED, (all, number: string) => (tags[Number(number)]?.text.startsWith("{{^") ? "" : all));
    const word = ACCIDENT.exec(written)?.[0];
    const tag = piece.kind === "open" ? `<${piece.name}>` : "a conditional comment";
    if (word !== undefined) return { text: word, tag, offset: piece.start };
  }
  return undefined;
}
