import type { SourcePosition } from "../diagnostic.js";
import type { Tag } from "../mustache/tokens.js";
import { positionAt } from "../text/position.js";
import { jsonPosition } from "../project/json.js";
import type { Metadata, SourceFile } from "../project/template.js";
import type { EmailDocument, TagUse } from "./document/email-document.js";
import type { CheckedTemplate } from "./rule.js";

/** Where a Mustache tag of the compiled HTML was written; if that is unknown, the position of the node that contains it. */
export function tagPosition(document: EmailDocument, { tag, where }: TagUse): SourcePosition {
  // The position may be in an installed package, which users cannot edit.
  const isOwn = tag.at?.line !== undefined && document.input.sources.has(tag.at.file);
  const raw = positionOfRawHtml({ tag, where });
  if (raw) return raw;
  const near = isOwn && tag.at ? tag.at : positionOfHolder(tag, where);
  if (near.line === undefined) return tag.at ?? document.positionOf(tag.text);
  // For an attribute of a shared component: where the template passes the value to it.
  const [body] = document.input.sources.keys();
  const use = where.kind === "attribute" && near.file !== body ? where.element.atUse(where.attribute) : near;
  return use.file === body ? use : near;
}

/** For raw HTML in React: the position of `dangerouslySetInnerHTML`, not of where the variable was first read. */
function positionOfRawHtml({ tag, where }: TagUse): SourcePosition | undefined {
  if (where.kind !== "text" || !tag.text.startsWith("{{{")) return undefined;
  const { parent } = where.node;
  const holder = [parent, ...parent.ancestors].find(({ place }) => place);
  if (!holder || !/\.[jt]sx$/.test(holder.place?.at.file ?? "")) return undefined;
  const [own, html] = [holder.at(), holder.at("dangerouslySetInnerHTML")];
  return html.line === own.line && html.column === own.column ? undefined : html;
}

function positionOfHolder({ text }: Tag, where: TagUse["where"]): SourcePosition {
  if (where.kind === "name") return where.element.at();
  if (where.kind === "comment") return where.node.at();
  if (where.kind === "text") return where.node.at();
  const { element, attribute } = where;
  if (attribute !== "style") return element.at(attribute);
  return element.style.find(({ value }) => value.includes(text))?.at() ?? element.at("style");
}

/** Where the subject, or one of its tags, was written: in `template.json` or in the body. */
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

/** The position of a member of `template.json`; the body if there is no such file. */
export function metadataPosition({ template }: Pick<CheckedTemplate, "template">, key: keyof Metadata): SourcePosition {
  const { body, metadata, metadataSource } = template;
  if (!metadataSource) return { file: body.file };
  return metadata[key] === undefined ? { file: metadataSource.file } : jsonPosition(metadataSource, [key]);
}

/**
 * Where a pattern matches in a file; the file without a line if it does not.
 *
 * @param index Which match counts: 0 for the first.
 */
export function positionIn({ file, text }: SourceFile, pattern: RegExp, index = 0): SourcePosition {
  const found = [...text.matchAll(new RegExp(pattern, `${pattern.flags}g`))][index];
  return found ? { file, ...positionAt(text, found.index) } : { file };
}
