import { stemOf } from "../../../template/name.js";
import type { Finding, Rule } from "../../rule.js";
import { htmlTags, type TagInPlace, textTags } from "../../variables/tags.js";

export const textSectionMissing: Rule = {
  id: "text-section-missing",
  summary: "The hand-written text body lacks a section of the html.",
  severity: "warning",
  checkTemplate(checked) {
    const { template, compiled } = checked;
    if (!template.text || compiled.text_body.trim() === "") return [];
    const asked = new Map(compiled.contract.conditions.map(({ name, path }) => [name, path]));
    const pathOf = ({ name, found }: Pick<TagInPlace, "name" | "found">) => found?.path ?? asked.get(name) ?? name;
    // Where something is not there, a tag of its own prints nothing.
    const isForPresent = (tag: TagInPlace) =>
      tag.kind !== "inverted" && !tag.around.some((each) => each.inverted && pathOf(each) === pathOf(tag));
    const inText = textTags(checked).filter(isForPresent);
    const missing = new Map<string, Finding>();
    for (const tag of htmlTags(checked)) {
      const path = pathOf(tag);
      if (tag.kind !== "section" || tag.around.length > 0 || !isVisible(tag) || missing.has(path)) continue;
      const about = inText.filter((each) => pathOf(each) === path || /^[.[]/.test(below(pathOf(each), path)));
      const isList = !asked.has(tag.name) && htmlTags(checked).some(({ found }) => below(found?.path, path)[0] === "[");
      // Of a list, a text may ask whether it has items, and then print none of them.
      if (about.some((each) => !isList || pathOf(each) !== path || !asked.has(each.name))) continue;
      missing.set(path, {
        message:
          about.length === 0
            ? `The html shows something for "${path}", and the text body has neither a section nor a tag for it.`
            : `The html lists "${path}", and the text body says of it only that it has items.`,
        at: tag.at(),
        hint: `Add \`{{#${path}}} … {{/${path}}}\` to ${stemOf(template.name)}.txt.`,
      });
    }
    return missing.values();
  },
};

/** What a path has behind the one that it is within. */
function below(path: string | undefined, outer: string): string {
  return path?.startsWith(outer) ? path.slice(outer.length) : "";
}

/** In the body, and not in the preheader or in an attribute. */
function isVisible({ where }: TagInPlace): boolean {
  if (where?.kind !== "text") return false;
  return [where.node.parent, ...where.node.parent.ancestors].every(
    (element) => !/^(?:head|style|title)$/.test(element.name) && element.styleValue("display") !== "none",
  );
}
