import { stemOf } from "../../../project/template-name.js";
import { Scope } from "../../../mustache/scope.js";
import type { BuiltInRule, Finding } from "../../rule.js";
import { htmlTags, textTags, type TagInPlace } from "../../lib/variables.js";

export const textSectionMissing: BuiltInRule = {
  id: "text-section-missing",
  severity: "warning",
  summary: "The hand-written text body lacks a section of the HTML.",
  why:
    "What the HTML shows only sometimes, or once for each item, is not in the text at all, so recipients who read the text " +
    "miss it. A tag that prints the same variable is enough. If the HTML prints the items of a list, " +
    "the text has to print them, too.",
  fix: "Add the section to `<name>.txt`, or remove the file: the text is then derived from the HTML.",
  examples: {
    wrong: [
      {
        "order/order.html": `<p>Hello</p>
‸{{#note}}<p>Your note: {{note}}</p>{{/note}}`,
        "order/order.txt": "Hello",
        "order/fixtures/default.json": '{ "note": "Leave it at the door." }',
      },
    ],
    right: [
      {
        "order/order.html": `<p>Hello</p>
{{#note}}<p>Your note: {{note}}</p>{{/note}}`,
        "order/order.txt": `Hello
{{#note}}Your note: {{note}}{{/note}}`,
        "order/fixtures/default.json": '{ "note": "Leave it at the door." }',
      },
    ],
  },
  checkTemplate(checked) {
    const { template, compiled } = checked;
    if (!template.text || compiled.text_body.trim() === "") return [];
    const conditions = new Map(compiled.contract.conditions.map((condition) => [condition.name, condition]));
    const variables = Scope.of(compiled.contract);
    const pathOf = ({ name, found }: Pick<TagInPlace, "name" | "found">): string => {
      if (found && !conditions.has(found.path)) return found.path;
      const condition = conditions.get(name);
      return (condition && variables.dependenciesOf(condition)[0]?.path) ?? name;
    };
    // A tag inside its own inverted section prints nothing.
    const isForPresent = (tag: TagInPlace) =>
      tag.kind !== "inverted" && !tag.around.some((each) => each.inverted && pathOf(each) === pathOf(tag));
    const inText = textTags(checked).filter(isForPresent);
    const missing = new Map<string, Finding>();
    for (const tag of htmlTags(checked)) {
      const path = pathOf(tag);
      if (tag.kind !== "section" || tag.around.length > 0 || !isVisible(tag) || missing.has(path)) continue;
      const about = inText.filter((each) => pathOf(each) === path || /^[.[]/.test(below(pathOf(each), path)));
      const isList =
        !conditions.has(tag.name) && htmlTags(checked).some(({ found }) => below(found?.path, path)[0] === "[");
      // A text may test whether a list has items and then print none of them.
      if (about.some((each) => !isList || pathOf(each) !== path || !conditions.has(each.name))) continue;
      missing.set(path, {
        message:
          about.length === 0
            ? `The HTML shows something for "${path}", but the text body has neither a section nor a tag for it.`
            : `The HTML lists "${path}", but the text body only says that there are items.`,
        at: tag.at(),
        hint: `Add \`{{#${path}}} … {{/${path}}}\` to ${stemOf(template.name)}.txt.`,
      });
    }
    return missing.values();
  },
};

/** What follows an outer path in a path; empty if it is not inside. */
function below(path: string | undefined, outer: string): string {
  return path?.startsWith(outer) ? path.slice(outer.length) : "";
}

/** Whether a tag is in visible text of the body, not in the preheader or an attribute. */
function isVisible({ where }: TagInPlace): boolean {
  if (where?.kind !== "text") return false;
  return [where.node.parent, ...where.node.parent.ancestors].every(
    (element) => !/^(?:head|style|title)$/.test(element.name) && element.styleValue("display") !== "none",
  );
}
