import type { EmailDocument } from "../../document/email-document.js";
import type { EmailElement } from "../../document/nodes.js";
import type { BuiltInRule } from "../../rule.js";
import { LIGHT } from "../../styles/matching.js";
import { isHidden } from "../../styles/computed.js";
import { readTexts } from "../../lib/texts.js";

export const imageOnly: BuiltInRule = {
  id: "image-only",
  severity: "warning",
  summary: "Nearly all of the email's content is in images.",
  details: "There is hardly any text besides the images.",
  why:
    "Many clients show no images at first, images of text can't be enlarged, searched or read aloud ([WCAG 1.4.5, " +
    "Images of Text](https://www.w3.org/WAI/WCAG22/Understanding/images-of-text)), and spam filters compare the " +
    "amount of text with the images (SpamAssassin's [HTML_IMAGE_ONLY " +
    "rules](https://github.com/apache/spamassassin/blob/trunk/rules/20_html_tests.cf)). The rule reports fewer than 60 " +
    "letters with an image at least 300 pixels wide, and fewer than 15 with an image of unknown size. A variable " +
    "counts as enough text.",
  fix: "Say in text what the email is about, and use images only to illustrate it.",
  examples: {
    wrong: [
      `<!doctype html>
<html lang="en">
<body>
‸<img src="https://shop.example/offer.png" alt="Your order" width="600">
</body>
</html>`,
    ],
    right: [
      `<img src="https://shop.example/tea.png" alt="A tin of tea" width="600">
<p>Your order of one tin of tea is on its way. It should arrive on Tuesday.</p>`,
    ],
  },
  *checkTemplate({ document }) {
    const images = document.named("img");
    const large = images.find((image) => widthOf(image) >= 300);
    const image = large ?? images.find((each) => Number.isNaN(widthOf(each)));
    if (image && lettersOf(document) < (large ? FEW : HARDLY_ANY))
      yield {
        message:
          "There is hardly any text besides the images. Without images, and to spam filters, the email says nothing.",
        at: image.at(),
        hint: "Say in text what the email is about.",
      };
  },
};

/** The letters of one short sentence. */
const FEW = 60;
/** The letters of a word or two: an image of unknown size may be a logo. */
const HARDLY_ANY = 15;

/** In pixels, for an email 600 pixels wide; NaN if unknown. The attribute comes first, because Outlook uses it. */
function widthOf(image: EmailElement): number {
  const width = image.attribute("width") ?? image.styleValue("width") ?? "";
  return parseFloat(width) * (width.endsWith("%") ? 6 : 1);
}

/** A variable counts as a sentence, because its content is unknown. */
function lettersOf(document: EmailDocument): number {
  const read = readTexts(document);
  let letters = 0;
  for (const { text, parent } of document.texts) {
    if (!read.has(parent) || isHidden(parent, LIGHT)) continue;
    if (/\{\{\s*[^#^/!\s]/.test(text)) letters += FEW;
    letters += text.replaceAll(/\{\{[^}]*\}\}/g, "").match(/[\p{L}\p{N}]/gu)?.length ?? 0;
    if (letters >= FEW) break;
  }
  return letters;
}
