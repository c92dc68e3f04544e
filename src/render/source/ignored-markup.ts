import {
  type Attribute,
  isCdata,
  isConditionalComment,
  type OpenTag,
  type Piece,
  scanMarkup,
} from "../../text/markup/scan.js";
import { roleOf, sectionsOpened, type TagTable, TOKEN } from "../../mustache/tokens.js";
import type { Findings } from "../findings.js";
import { chainNote } from "./chain.js";
import type { MappedText } from "./mapped-text.js";

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
function swallowsMarkup({ kind, start, end }: Piece, text: string): boolean {
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
