import { type OpenTag, scanMarkup } from "../../markup.js";
import type { Rule } from "../rule.js";
import { positionOfText } from "../source-position.js";

export const imageAlt: Rule = {
  id: "image-alt",
  checkTemplate({ template, compiled }) {
    return imagesWithoutAlt(compiled.html_body).map((image) => {
      const source = image.attributes.find(({ name }) => name === "src")?.value ?? "";
      return {
        severity: "warning",
        message: `The image ${source || "without an address"} has no alt text.`,
        at: positionOfText(template, source),
        hint: 'Say what it shows; alt="" if it is only decoration.',
      };
    });
  },
};

/** Images that say nothing of themselves: no alt at all, or an empty one where the image is all that a link holds. */
function imagesWithoutAlt(html: string): OpenTag[] {
  const silent: OpenTag[] = [];
  let linked: OpenTag[] | undefined;
  for (const piece of scanMarkup(html).pieces) {
    if (piece.kind === "open" && piece.name === "a") linked = [];
    else if (piece.kind === "close" && piece.name === "a") {
      silent.push(...(linked ?? []));
      linked = undefined;
    } else if (piece.kind === "text" && html.slice(piece.start, piece.end).trim() !== "") {
      linked = undefined;
    } else if (piece.kind === "open" && piece.name === "img") {
      const alt = piece.attributes.find(({ name }) => name.toLowerCase() === "alt")?.value;
      if (alt === undefined) silent.push(piece);
      else if (alt.trim() === "") linked?.push(piece);
      else linked = undefined;
    }
  }
  return silent;
}
