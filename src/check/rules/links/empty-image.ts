import type { Rule } from "../../rule.js";

export const emptyImage: Rule = {
  id: "empty-image",
  summary: "An image has no address.",
  severity: "error",
  checkTemplate: ({ document }) =>
    document
      .named("img")
      .filter((image) => (image.attribute("src") ?? "").trim() === "" && !image.attributes.has("srcset"))
      .map((image) => ({
        message: `The image${image.attribute("alt") ? ` "${image.attribute("alt")}"` : ""} has no address, so clients show a broken one.`,
        at: image.at(image.attributes.has("src") ? "src" : undefined),
        hint: "Write its address in src, or take the image away.",
      })),
};
