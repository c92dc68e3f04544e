import type { CheckedTemplate, Finding, Rule } from "../../rule.js";
import { type Block, htmlBlocks, readIn, textBlocks, wordCount } from "../../variables/blocks.js";
import type { TagInPlace } from "../../variables/tags.js";

export const sameForEach: Rule = {
  id: "same-for-each",
  summary: "A section over a list shows the same words for each item.",
  severity: "warning",
  checkTemplate: (checked) =>
    [...htmlBlocks(checked), ...textBlocks(checked)].flatMap((block) => check(block, checked)),
};

/** A few words may well be repeated, such as stars and dots. */
const FEW = 4;
const LONGEST = 40;

function check({ tag, content }: Block, { template }: CheckedTemplate): Finding[] {
  if (tag.kind !== "section" || !isList(tag) || content.includes("{{") || wordCount(content) < FEW) return [];
  const words = readIn(content);
  const shown = words.length > LONGEST ? `${words.slice(0, LONGEST - 1).trimEnd()}…` : words;
  const once = /\.[jt]sx$/.test(template.body.file)
    ? "or show it once, where the list has items"
    : `or ask once: {{#${tag.name} has-items}}, and {{^${tag.name} has-items}} where there is none`;
  return [
    {
      message: `"${shown}" is shown once for each item of "${tag.name}": nothing in it is the item's own.`,
      at: tag.at(),
      hint: `Print what an item has, ${once}.`,
    },
  ];
}

function isList({ found }: TagInPlace): boolean {
  const kinds = found?.shape.kinds.filter(({ type }) => type !== "null") ?? [];
  return kinds.length > 0 && kinds.every(({ type }) => type === "array");
}
