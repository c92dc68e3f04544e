import type { Rule } from "../../rule.js";
import { allTags, type TagInPlace } from "../../variables/tags.js";
import { onceEach } from "../../once-each.js";

export const shadowedVariable: Rule = {
  id: "shadowed-variable",
  summary: "Where an item lacks a variable, one of the same name outside of the section may show through.",
  severity: "warning",
  checkTemplate: (checked) =>
    onceEach(
      allTags(checked)
        .filter(showsThrough)
        .map((tag) => ({
          message: `"${tag.found?.path}" may be absent, and there is a "${tag.name.split(".")[0]}" outside of ${sectionOf(tag)}: where variables are filled without its null, ${tag.text} prints that one.`,
          at: tag.at(),
          hint: "Give one of the two another name, or let the schema ask for it always.",
        })),
    ),
};

function showsThrough({ name, found, scope }: TagInPlace): boolean {
  if (name === "." || !found || found.depth === 0) return false;
  const [first = ""] = name.split(".");
  return scope.find(first)?.mayBeAbsent === true && scope.isFoundOutside(first, found);
}

function sectionOf({ around }: TagInPlace): string {
  const section = around.findLast(({ inverted }) => !inverted);
  return section ? `{{#${section.name}}}` : "the section";
}
