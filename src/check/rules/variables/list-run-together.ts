import type { CheckedTemplate, Finding, Rule } from "../../rule.js";
import { htmlBlocks, textBlocks } from "../../variables/blocks.js";
import { type TagInPlace, withinOf } from "../../variables/tags.js";
import { valuesOf } from "../../variables/values.js";

export const listRunTogether: Rule = {
  id: "list-run-together",
  summary: "The texts of a list are printed with nothing between them.",
  severity: "warning",
  checkTemplate: (checked) =>
    [...htmlBlocks(checked), ...textBlocks(checked)].flatMap(({ tag, content }) =>
      tag.kind === "section" && ALONE.test(content) ? check(tag, checked) : [],
    ),
};

/** The item and nothing else, or in an element that brings no space of its own. */
const ALONE =
  /^(?:<(?:span|b|strong|i|em|u|code|font)(?:\s(?:(?!margin|padding|display|border)[^<>])*)?>)?\{\{\s*\.\s*\}\}(?:<\/\w+>)?$/i;

function check(tag: TagInPlace, { compiled }: CheckedTemplate): Finding[] {
  if (tag.where !== undefined && tag.where.kind !== "text") return [];
  const lists = compiled.fixtures
    .flatMap(({ variables }) => valuesOf(variables, { within: withinOf(tag), name: tag.name }))
    .filter(Array.isArray);
  const shown = lists.find((list) => list.length > 1 && list.every((item) => isWord(item)));
  if (!shown) return [];
  return [
    {
      message: `The texts of "${tag.name}" are printed with nothing between them: "${shown.slice(0, 3).join("")}".`,
      at: tag.at(),
      hint: "Put each into an element of its own, or a separator between them.",
    },
  ];
}

/** What brings its own space or is a letter of a word does without more. */
function isWord(item: unknown): boolean {
  return typeof item === "string" && item.length > 1 && item.trim() === item;
}
