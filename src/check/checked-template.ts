import type { PositionedHtml } from "../render/source/mapped-text.js";
import { protect, type TagTable, type Tag } from "../mustache/tokens.js";
import type { CompiledTemplate, CompileResult, Metadata, SourceFile } from "../project/template.js";
import { EmailDocument, type DocumentInput, type TagUse } from "./document/email-document.js";
import type { CheckedTemplate, CheckSettings } from "./rule.js";
import type { SourcePosition } from "../diagnostic.js";
import { positionAt } from "../text/position.js";
import { jsonPosition, readSource } from "../project/source-file.js";
import { renderMustache } from "../mustache/fill.js";

/** Has the compiled html with the source positions of its elements, if known. */
export interface HasPositionedHtml {
  readonly sited?: PositionedHtml | undefined;
}

/** Prepares a template for the rules. Without positions, findings are located by searching the sources. */
export function checkedTemplate(
  { template, compiled }: CompileResult & { readonly compiled: CompiledTemplate },
  where: HasPositionedHtml | undefined,
  { settings, read = readIfText }: { readonly settings: CheckSettings; readonly read?: ReadText },
): CheckedTemplate {
  return withDocument({ template, compiled, settings }, () => {
    const { body, text, metadata } = template;
    const others = compiled.sources.filter((file) => file !== body.file && file !== text?.file);
    const sources = new Map([[body.file, body.text], ...readSources(others, read)]);
    const { text: html, tags, places } = where?.sited ?? withoutPlaces(compiled.html_body, metadata.verbatim);
    return { html, tags, places, sources };
  });
}

function withoutPlaces(html: string, keepsComments = false): PositionedHtml {
  const tags: TagTable = [];
  const { text } = protect(html, "", tags, { keepsComments });
  return { text, tags: tags.map((tag) => ({ text: tag.text })), places: [] };
}

/** Builds the document when a rule first uses it. */
export function withDocument(checked: Omit<CheckedTemplate, "document">, read: () => DocumentInput): CheckedTemplate {
  let document: EmailDocument | undefined;
  return {
    ...checked,
    get document() {
      document ??= new EmailDocument(read());
      return document;
    },
  };
}

/** The texts of sources by path, except those in packages and files that are not text. */
export function readSources(files: Iterable<string>, read: ReadText = readIfText): Map<string, string> {
  const texts = new Map<string, string>();
  for (const file of files) {
    const text = read(file);
    if (text !== undefined) texts.set(file, text);
  }
  return texts;
}

/** The text of a source; undefined if it is in a package or not text. */
export type ReadText = (file: string) => string | undefined;

/** Reads each file once for templates that are checked together, which often share files. */
export function cachedFileReader(): ReadText {
  const texts = new Map<string, string | undefined>();
  return (file) => {
    if (!texts.has(file)) texts.set(file, readIfText(file));
    return texts.get(file);
  };
}

function readIfText(file: string): string | undefined {
  if (/[\\/]node_modules[\\/]/.test(file)) return undefined;
  try {
    return readSource(file).text;
  } catch {
    return undefined;
  }
}

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
  if (where.kind === "text" || where.kind === "comment") return where.node.at();
  if (where.kind === "name") return where.element.at();
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

/** A subject as recipients see it. */
interface FilledSubject {
  readonly text: string;
  /** Undefined if there are no fixtures; the tags then print nothing. */
  readonly fixture?: string;
}

/** A template's subject as each of its fixtures fills it. */
export function filledSubjects({ compiled: { subject, fixtures } }: CheckedTemplate): FilledSubject[] {
  const fill = (variables: Readonly<Record<string, unknown>>): string =>
    renderMustache(subject, variables, { escape: "none" });
  if (fixtures.length === 0) return [{ text: fill({}) }];
  return fixtures.map(({ name, variables }) => ({ fixture: name, text: fill(variables) }));
}

/**
 * The files of a hand-written text body: its own file, then the parts that it includes. Empty if the text is derived from
 * the HTML.
 */
export function textSources({ template, document }: CheckedTemplate): SourceFile[] {
  if (!template.text) return [];
  const parts = [...document.input.sources].filter(([file]) => file.endsWith(".txt"));
  return [template.text, ...parts.map(([file, text]) => ({ file, text }))];
}
