import type { EmailElement } from "../../document/nodes.js";
import { stemOf } from "../../../template/name.js";
import type { CheckedTemplate, Finding, Rule } from "../../rule.js";
import { type Block, htmlBlocks, textBlocks, wordCount } from "../../variables/blocks.js";
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
    return [...missing.values(), ...listsMissing(checked, missing), ...forAbsent(checked)];
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
    return !tag.around.some((section) => section.inverted && pathOf(section, checked) === path);
  };
}

/** Words from which on something is said of what is not there: "Hi there" is said otherwise in a text. */
const SOME = 4;

/** What only one of the two bodies says where something is not there. */
function forAbsent(checked: CheckedTemplate): Finding[] {
  const { template } = checked;
  const [html, text] = [htmlTags(checked), textTags(checked)];
  const [inHtml, inText] = [absentIn(htmlBlocks(checked), checked), absentIn(textBlocks(checked), checked)];
  const all = { html: sectionsOf(html, checked), text: sectionsOf(text, checked) };
  const file = `${stemOf(template.name)}.txt`;
  return [
    ...[...inHtml].flatMap(([path, { tag, count }]): Finding[] => {
      if (all.text.has(`^${path}`) || count < SOME || !isVisible(tag)) return [];
      const message = `The html shows something where there is no "${path}", and the text body says nothing then.`;
      return [{ message, at: tag.at(), hint: `Add \`${tag.text} … {{/${tag.name}}}\` to ${file}.` }];
    }),
    ...[...inText].flatMap(([path, { tag, count }]): Finding[] => {
      if (all.html.has(`^${path}`) || !all.html.has(`#${path}`) || count < SOME) return [];
      const message = `The text body says something where there is no "${path}", and the html shows nothing then.`;
      return [
        { message, at: tag.at(), hint: `Write the same for both: \`{{^${path}}} … {{/${path}}}\` in the html, too.` },
      ];
    }),
  ];
}

/** The outermost sections for what is not there, the one with the most words of each. */
function absentIn(blocks: readonly Block[], checked: CheckedTemplate): Map<string, Absent> {
  const found = new Map<string, Absent>();
  for (const { tag, content } of blocks) {
    if (tag.kind !== "inverted" || tag.around.length > 0) continue;
    const path = pathOf(tag, checked);
    const count = wordCount(content);
    if (path !== undefined && count > (found.get(path)?.count ?? 0)) found.set(path, { tag, count });
  }
  return found;
}

interface Absent {
  readonly tag: TagInPlace;
  readonly count: number;
}

function sectionsOf(tags: readonly TagInPlace[], checked: CheckedTemplate): Set<string> {
  return new Set(
    tags.flatMap((tag) => {
      if (tag.kind !== "section" && tag.kind !== "inverted") return [];
      return [`${tag.kind === "inverted" ? "^" : "#"}${pathOf(tag, checked)}`];
    }),
  );
}

/** What a section asks whether it is there; undefined where it asks something else. */
function pathOf(
  { name, found }: Pick<TagInPlace, "name" | "found">,
  { compiled }: CheckedTemplate,
): string | undefined {
  const condition = compiled.contract.conditions.find((each) => each.name === name);
  if (!condition) return found?.path ?? name;
  return PRESENCE.has(condition.test.kind) ? condition.path : undefined;
}

const PRESENCE: ReadonlySet<string> = new Set(["present", "truthy", "has-items"]);

/** What tags are about: of a condition, what it asks about. */
function pathsOf(tags: readonly TagInPlace[], { compiled }: CheckedTemplate): string[] {
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
