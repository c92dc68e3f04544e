import { type Attribute, isCdata, type OpenTag, scanMarkup } from "../../markup/scan.js";
import { type TagTable, TOKEN } from "../../mustache/tokens.js";
import type { Findings } from "../findings.js";
import { roleOf, sectionsOpened } from "../sections.js";
import { chainNote } from "./chain.js";
import type { MappedText } from "./mapped-text.js";

/** Reports what html and MJML ignore without a word: an attribute that is given again, and CDATA. */
export function checkIgnoredMarkup(mapped: MappedText, tags: TagTable, findings: Findings): void {
  const report = (offset: number, message: string, hint: string) =>
    findings.error("markup-lost", message + chainNote(mapped.chainAt(offset)) + ".", mapped.positionAt(offset), hint);

  for (const piece of scanMarkup(mapped.text).pieces) {
    const again = piece.kind === "open" ? attributeGivenAgain(piece, tags) : undefined;
    if (again) {
      const name = withoutSections(again.name, tags);
      report(again.start, `${name} is given twice here, and only the first one counts`, "Leave one of them.");
    } else if (isCdata(piece, mapped.text)) {
      report(piece.start, "There is no CDATA in html: of what stands in it, a part is lost", "Write &lt; and &amp;.");
    }
  }
}

/** The first attribute with another value than one of its name that stands there in any case. */
function attributeGivenAgain({ attributes }: OpenTag, tags: TagTable): Attribute | undefined {
  const given = new Map<string, string>();
  let depth = 0;
  for (const attribute of attributes) {
    depth += sectionsOpened(attribute.name, tags);
    const name = withoutSections(attribute.name, tags).toLowerCase();
    if (name !== "" && (given.get(name) ?? attribute.value) !== attribute.value) return attribute;
    if (depth === 0) given.set(name, attribute.value);
    depth += sectionsOpened(attribute.value, tags);
  }
  return undefined;
}

function withoutSections(name: string, tags: TagTable): string {
  if (!name.includes("\uE000")) return name;
  return name.replace(TOKEN, (token, number: string) => (roleOf(tags[Number(number)]) === "prints" ? token : ""));
}
