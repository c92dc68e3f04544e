import type { Shape } from "../../../mustache/shape.js";
import type { Rule } from "../../rule.js";
import { allTags, type TagInPlace } from "../../variables/tags.js";
import { onceEach } from "../../once-each.js";

export const sectionOverValue: Rule = {
  id: "section-over-value",
  summary: "A section is over a text or a number, and Mustache engines disagree on whether it is shown.",
  severity: "warning",
  checkTemplate: (checked) =>
    onceEach(
      allTags(checked).flatMap((tag) => {
        const { name, at } = tag;
        const choice = oneOf(tag);
        if (choice) {
          const [first = ""] = choice;
          const shown = tag.kind === "inverted" ? "never shown" : "always shown";
          const message = `The section ${tag.text} is ${shown}: "${name}" is ${choice.map((each) => `"${each}"`).join(" or ")}, and never empty.`;
          return [{ message, at: at(), hint: `Ask which: \`{{#${name} equals "${first}"}} … {{/${name}}}\`.` }];
        }
        const kind = doubtful(tag);
        if (!kind) return [];
        const [thing, doubt] =
          kind.type === "string"
            ? ["a text", 'an empty one and "0" are true for some Mustache engines and false for others']
            : ["a number", "0 is true for some Mustache engines and false for others"];
        return [
          {
            message: `The section ${tag.text} is over ${thing}: ${doubt}.`,
            at: at(),
            hint: `Ask in words: \`${tag.kind === "inverted" ? "{{^" : "{{#"}${name} is-truthy}} … {{/${name}}}\`, or is-present.`,
          },
        ];
      }),
    ),
};

type Kind = Shape["kinds"][number];

/** The texts of which a section's value always is one, none of them empty. */
function oneOf({ kind, name, found }: TagInPlace): readonly string[] | undefined {
  if ((kind !== "section" && kind !== "inverted") || name === "." || !found?.shape.isKnown) return undefined;
  const [only, ...others] = found.shape.kinds;
  const values = only?.enum ?? [];
  const texts = values.filter((value) => typeof value === "string" && value !== "" && value !== "0");
  return others.length === 0 && texts.length > 1 && texts.length === values.length ? texts.map(String) : undefined;
}

/** The kind of value on which engines disagree. */
function doubtful({ kind, name, found }: TagInPlace): Kind | undefined {
  if ((kind !== "section" && kind !== "inverted") || name === "." || !found?.shape.isKnown) return undefined;
  return found.shape.kinds.find((each) => {
    if (each.type !== "string" && each.type !== "number" && each.type !== "integer") return false;
    const values = each.enum ?? (each.const === undefined ? undefined : [each.const]);
    if (values) return values.some((value) => value === "" || value === "0" || value === 0);
    // An address or a date is never empty.
    return each.format === undefined || each.type !== "string";
  });
}
