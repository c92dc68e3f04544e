import type { SourcePosition } from "../diagnostic.js";
import type { Tag } from "../mustache/tokens.js";
import { positionAt } from "../position.js";
import { jsonPosition } from "../template/json.js";
import type { Metadata, SourceFile } from "../template/template.js";
import type { EmailDocument, TagUse } from "./document/email-document.js";
import type { CheckedTemplate } from "./rule.js";

/** Where a tag of the compiled html was written; what a component prints, at least where its element is. */
export function tagPosition(document: EmailDocument, { tag, where }: TagUse): SourcePosition {
  // What prints it may be installed; then it is where it was given to that.
  const isOwn = tag.at?.line !== undefined && document.input.sources.has(tag.at.file);
  const raw = positionOfRawHtml({ tag, where });
  if (raw) return raw;
  const near = isOwn && tag.at ? tag.at : positionOfHolder(tag, where);
  if (near.line === undefined) return tag.at ?? document.positionOf(tag.text);
  // Where a template passes a shared component what that prints into an attribute.
  const [body] = document.input.sources.keys();
  const use = where.kind === "attribute" && near.file !== body ? where.element.atUse(where.attribute) : near;
  return use.file === body ? use : near;
}

/** Of what React prints as it is: where that is said, and not where its variable was read first. */
function positionOfRawHtml({ tag, where }: TagUse): SourcePosition | undefined {
  if (where.kind !== "text" || !tag.text.startsWith("{{{")) return undefined;
  const { parent } = where.node;
  const holder = [parent, ...parent.ancestors].find(({ place }) => place);
  if (!holder || !/\.[jt]sx$/.test(holder.place?.at.file ?? "")) return undefined;
  const [own, said] = [holder.at(), holder.at("dangerouslySetInnerHTML")];
  return said.line === own.line && said.column === own.column ? undefined : said;
}

function positionOfHolder({ text }: Tag, where: TagUse["where"]): SourcePosition {
  if (where.kind === "name") return where.element.at();
  if (where.kind === "comment") return where.node.at();
  if (where.kind === "text") return where.node.at();
  const { element, attribute } = where;
  if (attribute !== "style") return element.at(attribute);
  return element.style.find(({ value }) => value.includes(text))?.at() ?? element.at("style");
}

/** Where the subject was written: in `template.json`, or in the body, there with one of its tags. */
export function subjectPosition(checked: Pick<CheckedTemplate, "template" | "document">, tag?: string): SourcePosition {
  const { template, document } = checked;
  if (template.metadata.subject !== undefined) return metadataPosition(checked, "subject");
  const exported = positionIn(template.body, /\bexport\s+const\s+subject\b/);
  if (exported.line !== undefined) return exported;
  const title = document.first("title");
  if (tag === undefined)
    return title?.children.find(({ kind }) => kind === "text")?.at() ?? { file: template.body.file };
  const name = tag.replaceAll(/^\{+|\}+$/g, "");
  const printed = document.tags.find(
    ({ tag: { text }, where }) =>
      where.kind === "text" && where.node.parent === title && text.replaceAll(/^\{+|\}+$/g, "") === name,
  );
  return printed ? tagPosition(document, printed) : document.positionOf(`{{${name}}}`);
}

/** Where a member of `template.json` stands; the body where it has none. */
export function metadataPosition({ template }: Pick<CheckedTemplate, "template">, key: keyof Metadata): SourcePosition {
  const { body, metadata, metadataSource } = template;
  if (!metadataSource) return { file: body.file };
  return metadata[key] === undefined ? { file: metadataSource.file } : jsonPosition(metadataSource, [key]);
}

/**
 * Where a file has what a pattern finds; the file alone where it has it nowhere.
 *
 * @param index Which match counts: 0 for the first.
 */
export function positionIn({ file, text }: SourceFile, pattern: RegExp, index = 0): SourcePosition {
  const found = [...text.matchAll(new RegExp(pattern, `${pattern.flags}g`))][index];
  return found ? { file, ...positionAt(text, found.index) } : { file };
}
