import type { EmailElement } from "../../document/nodes.js";
import type { CheckedTemplate, Finding, Rule } from "../../rule.js";
import { inWords } from "../../truth/smallest.js";
import { TruthTable } from "../../truth/truth-table.js";
import { branches } from "../../truth/branches.js";

export const emptyImage: Rule = {
  id: "empty-image",
  summary: "An image has no address.",
  severity: "error",
  checkTemplate: (checked) => checked.document.named("img").flatMap((image) => checkImage(image, checked)),
};

function checkImage(image: EmailElement, checked: CheckedTemplate): Finding[] {
  const src = (image.attribute("src") ?? "").trim();
  const part = { text: src, around: branches(checked.document).get(image) ?? [] };
  const found = src === "" ? undefined : TruthTable.of(checked).blank(part);
  if (image.attributes.has("srcset") || (src !== "" && !found)) return [];
  const alt = image.attribute("alt");
  const own = `image${alt ? ` "${alt}"` : ""} has no address, so clients show a broken one.`;
  return [
    {
      ...(found && { severity: "warning" }),
      message: found ? `With ${inWords(found.variables)} the ${own}` : `The ${own}`,
      at: image.at(image.attributes.has("src") ? "src" : undefined),
      hint: found
        ? "Give it an address for that case, too, or put the whole image into the section."
        : "Write its address in src, or take the image away.",
    },
  ];
}
