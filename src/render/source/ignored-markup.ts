import {
  type Attribute,
  isCdata,
  isConditionalComment,
  type OpenTag,
  type MarkupPiece,
  scanMarkup,
} from "../../text/markup/scan.js";
import { halfSection, roleOf, sectionsOpened, tagsIn, type TagTable, TOKEN, tokensIn } from "../../mustache/tokens.js";
import type { Findings } from "../findings.js";
import { chainNote, type MappedText, type Replacement } from "./mapped-text.js";

/**
 * Reports what HTML and MJML ignore silently: a repeated attribute, CDATA, and markup swallowed by a comment without an
 * end.
 */
export function checkIgnoredMarkup(mapped: MappedText, tags: TagTable, findings: Findings): void {
  const report = (offset: number, message: string, hint: string, severity: "error" | "warning" = "error") => {
    const whole = `${message}${chainNote(mapped.chainAt(offset))}.`;
    findings[severity]("markup-lost", whole, mapped.positionAt(offset), hint);
  };

  for (const piece of scanMarkup(mapped.text).pieces) {
    const repeated = piece.kind === "open" ? repeatedAttribute(piece, tags) : undefined;
    if (repeated) {
      const message = `The attribute ${withoutSections(repeated.name, tags)} appears twice here, and only the first counts`;
      // Without Mustache tags, MJML and all HTML parsers ignore it as well.
      report(repeated.start, message, "Remove one of them.", repeated.hasTags ? "error" : "warning");
    } else if (isCdata(piece, mapped.text)) {
      report(piece.start, "HTML has no CDATA, so part of its content is lost", "Write &lt; and &amp; instead.");
    } else if (swallowsMarkup(piece, mapped.text)) {
      const message = "This comment only ends at the --> of another comment, so the markup between them is lost";
      report(piece.start, message, "End it with --> where it should end. Comments can't contain comments.");
    }
  }
}

/** Whether a comment contains elements and, after them, the beginning of another comment. */
function swallowsMarkup({ kind, start, end }: MarkupPiece, text: string): boolean {
  if (kind !== "comment") return false;
  const comment = text.slice(start, end);
  return !isConditionalComment(comment) && /^<!--[^]*?<[a-z][^]*?<!--/i.test(comment);
}

interface RepeatedAttribute extends Attribute {
  /** Whether it contains a tag, or is in a section. */
  readonly hasTags: boolean;
}

/** The first attribute whose value differs from that of an earlier, unconditional one with the same name. */
function repeatedAttribute({ attributes }: OpenTag, tags: TagTable): RepeatedAttribute | undefined {
  const values = new Map<string, string>();
  let depth = 0;
  for (const attribute of attributes) {
    depth += sectionsOpened(attribute.name, tags);
    const name = withoutSections(attribute.name, tags).toLowerCase();
    if (name !== "" && (values.get(name) ?? attribute.value) !== attribute.value) {
      return { ...attribute, hasTags: depth > 0 || (attribute.name + attribute.value).includes("\uE000") };
    }
    if (depth === 0) values.set(name, attribute.value);
    depth += sectionsOpened(attribute.value, tags);
  }
  return undefined;
}

function withoutSections(name: string, tags: TagTable): string {
  if (!name.includes("\uE000")) return name;
  return name.replace(TOKEN, (token, number: string) => (roleOf(tags[Number(number)]) === "prints" ? token : ""));
}

/** Separates section tags from comments and element names, so that HTML parsers don't misread them. */
export function freeSections(mapped: MappedText, tags: TagTable, findings: Findings): MappedText {
  return endNames(openComments(mapped, tags, findings), tags);
}

/**
 * Inserts a space after an element's name if a section with attributes follows directly: in
 * `<tr{{#vip}} class="vip"{{/vip}}>`, the token would be read as a part of the name.
 */
function endNames(mapped: MappedText, tags: TagTable): MappedText {
  const { text } = mapped;
  const replacements = scanMarkup(text).pieces.flatMap((piece): Replacement[] => {
    if (piece.kind !== "open" || !piece.name.includes("\uE000")) return [];
    const [token] = tokensIn(piece.name);
    if (!token || roleOf(tags[token.tag]) !== "opens") return [];
    const at = piece.start + "<".length + token.offset;
    // A section that continues the name decides which element it is.
    return /^\uE000\d+\uE001\s/.test(text.slice(at, piece.end)) ? [{ start: at, end: at, by: " " }] : [];
  });
  return mapped.replaced(replacements);
}

/**
 * Unwraps section tags in comments that contain nothing else, as in `<!-- {{#items}} -->`: many write them so because their
 * editors don't accept bare tags, and Mustache ignores comments. One end of a section in any other comment is an error:
 * compiling would drop it together with the comment, or the text body would lack it.
 */
function openComments(mapped: MappedText, tags: TagTable, findings: Findings): MappedText {
  // Sections without a partner have been reported.
  if (findings.has("mustache-syntax")) return mapped;
  const replacements: Replacement[] = [];
  for (const { kind, start, end } of scanMarkup(mapped.text).pieces) {
    if (kind !== "comment") continue;
    const comment = mapped.text.slice(start, end);
    const numbers = tagsIn(comment);
    const half = tags[halfSection(numbers, tags) ?? -1];
    if (!half) continue;
    if (BLANK_COMMENT.test(comment.replace(TOKEN, "")) && numbers.every((tag) => roleOf(tags[tag]) !== "prints")) {
      for (const { 0: around, index } of comment.matchAll(/[<!\s>-]+/g))
        replacements.push({ start: start + index, end: start + index + around.length, by: "" });
    } else {
      const what = isConditionalComment(comment) ? "conditional comment" : "comment";
      const message = `This ${what} contains only one end of the section ${half.text}${chainNote(mapped.chainAt(start))}.`;
      const hint = "Write the section's tag before or after the comment, or alone in a separate comment.";
      findings.error("markup-lost", message, half.at ?? mapped.positionAt(start), hint);
    }
  }
  return mapped.replaced(replacements);
}

const BLANK_COMMENT = /^<!--\s*-->$/;
