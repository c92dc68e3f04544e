import type { BuiltInRule } from "../../rule.js";
import { formatVariables, TruthTable, branchOf } from "../../truth/truth-table.js";

export const emptyImage: BuiltInRule = {
  id: "empty-image",
  severity: "error",
  summary: "An image has no URL.",
  details:
    "An image has no URL: `src` is empty or missing. With only some variables it is a warning: " +
    '`src="{{#logo}}{{logo}}{{/logo}}"`.',
  why: "Email clients show a broken image. For an empty `src`, some load the page around the email again.",
  fix:
    "Set the URL, or remove the image. If only some variables leave it empty, move the whole image into the " +
    "section.",
  examples: {
    wrong: [
      '<img ‸src="" alt="Tea">',
      {
        "order/order.html": '<img ‸src="{{#photo}}{{photo}}{{/photo}}" alt="Tea">',
        "order/fixtures/default.json": '{ "photo": "https://shop.example/tea.png" }',
      },
    ],
    right: [
      {
        "order/order.html": '{{#photo}}<img src="{{photo}}" alt="Tea">{{/photo}}',
        "order/fixtures/default.json": '{ "photo": "https://shop.example/tea.png" }',
      },
    ],
  },
  *checkTemplate(checked) {
    for (const image of checked.document.named("img")) {
      const src = (image.attribute("src") ?? "").trim();
      const blank = src === "" ? undefined : TruthTable.of(checked).blank({ text: src, around: branchOf(image) });
      if (image.attributes.has("srcset") || (src !== "" && !blank)) continue;
      const alt = image.attribute("alt");
      const problem = `image${alt ? ` "${alt}"` : ""} has no URL, so clients show a broken image.`;
      yield {
        ...(blank && { severity: "warning" }),
        message: blank ? `With ${formatVariables(blank.variables)} the ${problem}` : `The ${problem}`,
        at: image.at(image.attributes.has("src") ? "src" : undefined),
        hint: blank
          ? "Add a URL for that case, or move the whole image into the section."
          : "Set its `src`, or remove the image.",
      };
    }
  },
};
