import {
  type Attribute,
  isCdata,
  isConditionalComment,
  type OpenTag,
  type Piece,
  scanMarkup,
} from "../../markup/scan.js";
import { type TagTable, TOKEN } from "../../mustache/tokens.js";
import type { Findings } from "../findings.js";
import { roleOf, sectionsOpened } from "../sections.js";
import { chainNote } from "./chain.js";
import type { MappedText } from "./mapped-text.js";

/**
 * Reports what html and MJML ignore without a word: an attribute that is given again, CDATA, and what a comment swallows that
 * has no end of its own.
 */
export function checkIgnoredMarkup(mapped: MappedText, tags: TagTable, findings: Findings): void {
  const report = (offset: number, message: string, hint: string, severity: "error" | "warning" = "error") => {
    const whole = `${message}${chainNote(mapped.chainAt(offset))}.`;
    findings[severity]("markup-lost", whole, mapped.positionAt(offset), hint);
  };

  for (const piece of scanMarkup(mapped.text).pieces) {
    const again = piece.kind === "open" ? attributeGivenAgain(piece, tags) : undefined;
    if (again) {
      const message = `${withoutSections(again.name, tags)} is given twice here, and only the first one counts`;
      // Without Mustache in it, it is what MJML and every reader of html leave out as well.
      report(again.start, message, "Leave one of them.", again.hasTags ? "error" : "warning");
    } else if (isCdata(piece, mapped.text)) {
      report(piece.start, "There is no CDATA in html: of what stands in it, a part is lost", "Write &lt; and &amp;.");
    } else if (swallowsMarkup(piece, mapped.text)) {
      const message = "This comment goes on up to the --> of another one, and what stands between them is lost";
      report(piece.start, message, "End it by --> where it should end; comments can't hold others.");
    }
  }
}

/** Whether a comment holds elements and, behind them, the beginning of another comment. */
function swallowsMarkup({ kind, start, end }: Piece, text: string): boolean {
  if (kind !== "comment") return false;
  const comment = text.slice(start, end);
  return !isConditionalComment(comment) && /^<!--[^]*?<[a-z][^]*?<!--/i.test(comment);
}

interface GivenAgain extends Attribute {
  /** Whether it prints something, or stands in a section. */
  readonly hasTags: boolean;
}

/** The first attribute with another value than one of its name that stands there in any case. */
function attributeGivenAgain({ attributes }: OpenTag, tags: TagTable): GivenAgain | undefined {
  const given = new Map<string, string>();
  let depth = 0;
  for (const attribute of attributes) {
    depth += sectionsOpened(attribute.name, tags);
    const name = withoutSections(attribute.name, tags).toLowerCase();
    if (name !== "" && (given.get(name) ?? attribute.value) !== attribute.value) {
      return { ...attribute, hasTags: depth > 0 || (attribute.name + attribute.value).includes("\uE000") };
    }
    if (depth === 0) given.set(name, attribute.value);
    depth += sectionsOpened(attribute.value, tags);
  }
  return undefined;
}

function withoutSections(name: string, tags: TagTable): string {
  if (!name.includes("\uE000")) return name;
  return name.replace(TOKEN, (token, number: string) => (roleOf(tags[Number(number)]) === "prints" ? token : ""));
}
