import type { CheckedTemplate, Finding, Rule } from "../../rule.js";
import { scan } from "../../../mustache/scan.js";
import { type Block, htmlBlocks, readIn, textBlocks, wordCount } from "../../variables/blocks.js";
import { htmlTags, type TagInPlace, textTags } from "../../variables/tags.js";

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

function check(block: Block, checked: CheckedTemplate): Finding[] {
  const { tag, content } = block;
  if (tag.kind !== "section" || !isList(tag)) return [];
  const isSame = content.includes("{{") ? hasOnlyOuter(block, checked) : wordCount(content) >= FEW;
  if (!isSame) return [];
  const { template } = checked;
  const words =
    readIn(content) ||
    content
      .replaceAll(/<[^>]*>/g, " ")
      .replaceAll(/\s+/g, " ")
      .trim();
  const shown = words.length > LONGEST ? `${words.slice(0, LONGEST - 1).trimEnd()}…` : words;
  const once = /\.[jt]sx$/.test(template.body.file)
    ? "or show it once, where the list has items"
    : `or ask once: \`{{#${tag.name} has-items}}\`, and \`{{^${tag.name} has-items}}\` where there is none`;
  return [
    {
      message: `"${shown}" is shown once for each item of "${tag.name}": nothing in it is the item's own.`,
      at: tag.at(),
      hint: `Print what an item has, ${once}.`,
    },
  ];
}

/** Whether it prints something, and each of its tags is the same for all items. */
function hasOnlyOuter({ tag, content }: Block, checked: CheckedTemplate): boolean {
  const names = scan(content).tags.flatMap(({ kind, name }) => (kind === "close" || kind === "comment" ? [] : [name]));
  const within = [...htmlTags(checked), ...textTags(checked)].filter(({ around }) =>
    around.some(({ name }) => name === tag.name),
  );
  const path = tag.found?.path ?? tag.name;
  return names.every((name) => {
    const all = within.filter((each) => each.name === name);
    return (
      all.length > 0 &&
      all.every(({ kind, found }) => kind === "variable" && found && !found.path.startsWith(`${path}[`))
    );
  });
}

function isList({ found }: TagInPlace): boolean {
  const kinds = found?.shape.kinds.filter(({ type }) => type !== "null") ?? [];
  return kinds.length > 0 && kinds.every(({ type }) => type === "array");
}
