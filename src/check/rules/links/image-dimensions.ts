import type { EmailElement } from "../../document/nodes.js";
import type { Finding, Rule } from "../../rule.js";
import { shown } from "./address-rule.js";

const IN_STYLE =
  "has its width in a style alone, which Outlook for Windows does not use for images: it shows them as large as their file is.";
const UNSIZED = "does not say how large it is: until it is loaded, and where its file is large, it breaks the layout.";
const HINT = "Add width and height in pixels, as it should be shown.";

export const imageDimensions: Rule = {
  id: "image-dimensions",
  summary: "An image does not say how wide it is.",
  severity: "warning",
  checkTemplate: ({ document }) =>
    document.named("img").flatMap((image): Finding[] => {
      if (has(image, "width") || has(image, "height") || isTracker(image)) return [];
      const named = `The image ${shown(image.attribute("src") ?? "")}`.trim();
      const isStyled = ["width", "max-width", "height", "max-height"].some(
        (name) => image.styleValue(name) !== undefined,
      );
      const lack = isStyled ? IN_STYLE : UNSIZED;
      return [
        {
          severity: isStyled ? "info" : "warning",
          message: `${named} ${lack}`,
          cause: `An image ${lack}`,
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
