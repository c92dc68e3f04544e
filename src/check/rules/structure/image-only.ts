import type { EmailDocument } from "../../document/email-document.js";
import type { EmailElement } from "../../document/nodes.js";
import type { Rule } from "../../rule.js";
import { cascadeOf } from "../../styles/cascade.js";
import { LIGHT } from "../../styles/media.js";
import { isHidden } from "../../styles/visible.js";
import { readTexts } from "./read-texts.js";

export const imageOnly: Rule = {
  id: "image-only",
  summary: "All that the email says is in images.",
  severity: "warning",
  checkTemplate({ document }) {
    const images = document.named("img");
    const large = images.find((image) => widthOf(image) >= 300);
    const image = large ?? images.find((each) => Number.isNaN(widthOf(each)));
    if (!image || lettersOf(document) >= (large ? FEW : HARDLY_ANY)) return [];
    return [
      {
        message: "There is hardly any text beside the images: without them, and to a filter, the email says nothing.",
        at: image.at(),
        hint: "Say in text what the email is about.",
      },
    ];
  },
};

/** As many as in one short sentence. */
const FEW = 60;
/** As many as in a word or two: a picture whose size is not known may be a logo. */
const HARDLY_ANY = 15;

/** In pixels, of an email 600 pixels wide; NaN where nothing says it. The attribute is what Outlook goes by. */
function widthOf(image: EmailElement): number {
  const width = image.attribute("width") ?? image.styleValue("width") ?? "";
  return parseFloat(width) * (width.endsWith("%") ? 6 : 1);
}

/** Tags count as much as a sentence: what they print is not known. */
function lettersOf(document: EmailDocument): number {
  const cascade = cascadeOf(document);
  const read = readTexts(document);
  let letters = 0;
  for (const { text, parent } of document.texts) {
    if (!read.has(parent) || isHidden(cascade, parent, LIGHT)) continue;
    if (/\{\{\s*[^#^/!\s]/.test(text)) letters += FEW;
    letters += text.replaceAll(/\{\{[^}]*\}\}/g, "").match(/[\p{L}\p{N}]/gu)?.length ?? 0;
    if (letters >= FEW) break;
  }
  return letters;
}
