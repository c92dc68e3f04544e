import type { EmailElement } from "../../document/nodes.js";
import type { Finding, Rule } from "../../rule.js";
import { shown } from "./address-rule.js";

const IN_STYLE = "is sized by CSS only, which Outlook for Windows ignores: it shows the image at its full size.";
const UNSIZED = "has no size: it can break the layout until it has loaded, or if its file is large.";
const HINT = "Add `width` and `height` in pixels, at the size the image is displayed.";

export const imageDimensions: Rule = {
  id: "image-dimensions",
  summary: "An image has no width and no height.",
  severity: "warning",
  checkTemplate: ({ document }) =>
    document.named("img").flatMap((image): Finding[] => {
      if (has(image, "width") || has(image, "height") || isTracker(image)) return [];
      const named = `The image ${shown(image.attribute("src") ?? "")}`.trim();
      const isStyled = ["width", "max-width", "height", "max-height"].some(
        (name) => image.styleValue(name) !== undefined,
      );
      const problem = isStyled ? IN_STYLE : UNSIZED;
      return [
        {
          severity: isStyled ? "info" : "warning",
          message: `${named} ${problem}`,
          cause: `An image ${problem}`,
          at: image.at(),
          hint: HINT,
        },
      ];
    }),
};

function has(image: EmailElement, name: string): boolean {
  return (image.attribute(name) ?? "").trim() !== "";
}

function isTracker(image: EmailElement): boolean {
  return image.styleValue("display") === "none";
}
