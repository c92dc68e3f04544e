import type { EmailElement } from "../../document/nodes.js";
import { stemOf } from "../../../template/name.js";
import type { CheckedTemplate, Finding, Rule } from "../../rule.js";
import { htmlTags, type TagInPlace, textTags } from "../../variables/tags.js";

export const textSectionMissing: Rule = {
  id: "text-section-missing",
  summary: "The hand-written text body lacks a section of the html.",
  severity: "warning",
  checkTemplate(checked) {
    const { template } = checked;
    if (!template.text || checked.compiled.text_body.trim() === "") return [];
    const inText = new Set(pathsOf(textTags(checked).filter(isForPresent(checked)), checked));
    const missing = new Map<string, Finding>();
    for (const tag of htmlTags(checked)) {
      if (tag.kind !== "section" || !isVisible(tag) || tag.around.length > 0) continue;
      const [path = tag.name] = pathsOf([tag], checked);
      if (missing.has(path) || inText.has(path) || isPrinted(path, inText)) continue;
      missing.set(path, {
        message: `The html shows something for "${path}", and the text body has neither a section nor a tag for it.`,
        at: tag.at(),
        hint: `Add \`{{#${path}}} … {{/${path}}}\` to ${stemOf(template.name)}.txt.`,
      });
    }
    return [...missing.values(), ...listsMissing(checked, missing)];
  },
};

/** Lists of which the text asks whether they have items, and then prints none of them. */
function listsMissing(checked: CheckedTemplate, known: ReadonlyMap<string, Finding>): Finding[] {
  const inText = textTags(checked);
  const asked = new Set(checked.compiled.contract.conditions.map(({ name }) => name));
  const missing = new Map<string, Finding>();
  for (const tag of htmlTags(checked)) {
    const path = tag.found?.path;
    if (tag.kind !== "section" || path === undefined || asked.has(tag.name) || tag.around.length > 0) continue;
    if (known.has(path) || !isVisible(tag) || !printsItems(path, htmlTags(checked))) continue;
    if (inText.some((each) => each.found?.path === path && !asked.has(each.name)) || printsItems(path, inText))
      continue;
    missing.set(path, {
      message: `The html lists "${path}", and the text body says of it only that it has items.`,
      at: tag.at(),
      hint: `Add \`{{#${path}}} … {{/${path}}}\` to ${stemOf(checked.template.name)}.txt.`,
    });
  }
  return [...missing.values()];
}

function printsItems(path: string, tags: readonly TagInPlace[]): boolean {
  return tags.some(({ kind, found }) => kind === "variable" && found?.path.startsWith(`${path}[`) === true);
}

/** All but what is for the case that something is not there: a tag of its own prints nothing then. */
function isForPresent(checked: CheckedTemplate): (tag: TagInPlace) => boolean {
  return (tag) => {
    if (tag.kind === "inverted") return false;
    const [path] = pathsOf([tag], checked);
    return !tag.around.some((section) => section.inverted && pathsOf([section], checked)[0] === path);
  };
}

/** What tags are about: of a condition, what it asks about. */
function pathsOf(tags: readonly Pick<TagInPlace, "name" | "found">[], { compiled }: CheckedTemplate): string[] {
  const asked = new Map(compiled.contract.conditions.map(({ name, path }) => [name, path]));
  return tags.map(({ name, found }) => found?.path ?? asked.get(name) ?? name);
}

function isPrinted(path: string, inText: ReadonlySet<string>): boolean {
  return [...inText].some((other) => other.startsWith(`${path}.`) || other.startsWith(`${path}[`));
}

/** In the body, and not in the preheader or in an attribute. */
function isVisible({ where }: TagInPlace): boolean {
  if (where?.kind !== "text") return false;
  const around: EmailElement[] = [where.node.parent, ...where.node.parent.ancestors];
  if (around.some(({ name }) => name === "head" || name === "style" || name === "title")) return false;
  return !around.some((element) => element.styleValue("display") === "none");
}
