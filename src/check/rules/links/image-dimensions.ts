import type { EmailElement } from "../../document/nodes.js";
import type { BuiltInRule } from "../../rule.js";
import { shortUrl } from "../../lib/addresses.js";

const IN_STYLE = "is sized by CSS only, which Outlook for Windows ignores: it shows the image at its full size.";
const UNSIZED = "has no size: it can break the layout until it has loaded, or if its file is large.";

export const imageDimensions: BuiltInRule = {
  id: "image-dimensions",
  severity: "warning",
  summary: "An image has no width and no height.",
  why:
    "Until the image has loaded, which many clients do only on request, no space is reserved for it. If its file is " +
    "twice as large as the displayed image, for sharp screens, Outlook for Windows shows it at full size, because " +
    "it ignores CSS for images ([caniemail.com](https://www.caniemail.com/features/css-width/)). One of `width` " +
    "and `height` is enough. It is a note if CSS sets the size.",
  fix:
    'Add `width` and `height` in pixels, at the size the image is displayed: `width="112" height="32"`. With ' +
    '`style="max-width: 100%; height: auto"` it shrinks on narrow screens.',
  examples: {
    wrong: ['‸<img src="https://shop.example/logo.png" alt="Fernhill">'],
    right: ['<img src="https://shop.example/logo.png" alt="Fernhill" width="112" height="32">'],
  },
  *checkTemplate({ document }) {
    for (const image of document.named("img")) {
      if (has(image, "width") || has(image, "height") || isTracker(image)) continue;
      const isStyled = ["width", "max-width", "height", "max-height"].some(
        (name) => image.styleValue(name) !== undefined,
      );
      const problem = isStyled ? IN_STYLE : UNSIZED;
      yield {
        severity: isStyled ? "info" : "warning",
        message: `${`The image ${shortUrl(image.attribute("src") ?? "")}`.trim()} ${problem}`,
        cause: `An image ${problem}`,
        at: image.at(),
        hint: "Add `width` and `height` in pixels, at the size the image is displayed.",
      };
    }
  },
};

function has(image: EmailElement, name: string): boolean {
  return (image.attribute(name) ?? "").trim() !== "";
}

function isTracker(image: EmailElement): boolean {
  return image.styleValue("display") === "none";
}
