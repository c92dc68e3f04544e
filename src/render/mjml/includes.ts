import path from "node:path";
import { attempt } from "../../files.js";
import { TOKEN } from "../../mustache/tokens.js";
import { nearest } from "../../text/nearest.js";
import type { SourceFile } from "../../project/template.js";
import type { Findings } from "../findings.js";
import { assemble, type AssembleOptions } from "../source/assemble.js";
import { checkIgnoredMarkup, freeSections } from "../source/ignored-markup.js";
import { chainNote, type MappedText } from "../source/mapped-text.js";
import { attributeValue, type MjmlElement, type MjmlSource, positionOf } from "./document.js";
import { parseMjml, type ParseOptions } from "./parse.js";
import { entryOf } from "../../values.js";

export interface IncludeOptions extends AssembleOptions, ParseOptions {
  /** Receives every text that is read, tokenised. */
  readonly texts: MappedText[];
}

/** The content of an included file: elements for its place, and elements for the head. */
interface Included {
  readonly here: readonly MjmlElement[];
  readonly head: readonly MjmlElement[];
  readonly styles: readonly MjmlElement[];
}

const NOTHING: Included = { here: [], head: [], styles: [] };

/** Parses a file and its partials to elements. */
export async function readMjml(chain: readonly SourceFile[], options: IncludeOptions): Promise<MjmlElement[]> {
  const { tags, findings } = options;
  const mapped = freeSections(await assemble(chain, options), tags, findings);
  checkIgnoredMarkup(mapped, tags, findings);
  options.texts.push(mapped);
  return parseMjml({ mapped, chain }, options);
}

/** Replaces each mj-include with the file's content, as MJML does: the file's own head is moved to the document's head. */
export async function resolveIncludes(document: MjmlElement, options: IncludeOptions): Promise<void> {
  const { head, styles } = await expand(document, options);
  if (head.length + styles.length === 0) return;
  const existing = document.children.find(({ tagName }) => tagName === "mj-head");
  if (existing) existing.children.push(...head, ...styles);
  else document.children.push({ ...document, tagName: "mj-head", attributes: [], children: [...head, ...styles] });
}

/** Replaces the includes below an element, and returns the elements for the document's head. */
async function expand(element: MjmlElement, options: IncludeOptions): Promise<Omit<Included, "here">> {
  const children: MjmlElement[] = [];
  const head: MjmlElement[] = [];
  const styles: MjmlElement[] = [];
  for (const child of element.children) {
    if (child.tagName === "mj-include") {
      const included = await readInclude(child, options);
      children.push(...included.here);
      (element.tagName === "mj-head" ? children : head).push(...included.head);
      styles.push(...included.styles);
    } else {
      const below = await expand(child, options);
      children.push(child);
      head.push(...below.head);
      styles.push(...below.styles);
    }
  }
  element.children = children;
  return { head, styles };
}

async function readInclude(include: MjmlElement, options: IncludeOptions): Promise<Included> {
  const { chain } = include.source;
  const written = attributeValue(include, "path") ?? "";
  if (written === "" || written.search(TOKEN) >= 0) {
    const message = `<mj-include> needs a path without tags, because files are included at compile time${chainNote(chain)}.`;
    options.findings.error("mjml-structure", message, positionOf(include));
    return NOTHING;
  }
  const at = positionOf(include);
  const file = await options.parts.read({
    path: attempt(() => decodeURIComponent(written)) ?? written,
    folder: path.dirname(at.file),
    writtenAs: `<mj-include path="${written}">`,
    at,
    chain,
  });
  if (!file) return NOTHING;
  checkChoices(include, options.findings);
  const type = attributeValue(include, "type");
  if (type === "css" || type === "html") return readText([...chain, file], include, type, options);
  return splitDocument(await readMjml([...chain, file], options), options);
}

/** MJML treats other types as the default, and inlines CSS only for this exact value. */
const CHOICES: Readonly<Record<string, readonly string[]>> = {
  type: ["mjml", "css", "html"],
  "css-inline": ["inline", "false", ""],
};

function checkChoices(include: MjmlElement, findings: Findings): void {
  for (const { name, value, start } of include.attributes) {
    const choices = entryOf(CHOICES, name);
    if (!choices || choices.includes(value)) continue;
    const message = `${name}="${value}" of <mj-include> is not a value that MJML supports, so MJML ignores it${chainNote(include.source.chain)}.`;
    const hint = `Did you mean ${nearest(value, choices) ?? choices[0]}?`;
    findings.warning("mjml-attribute-value", message, positionOf(include, start), hint);
  }
}

async function readText(
  chain: readonly SourceFile[],
  include: MjmlElement,
  type: "css" | "html",
  options: IncludeOptions,
): Promise<Included> {
  const assembled = await assemble(chain, options);
  const mapped = type === "html" ? freeSections(assembled, options.tags, options.findings) : assembled;
  options.texts.push(mapped);
  const source = { mapped, chain };
  const content = { text: mapped.text, start: 0 };
  if (type === "html") return { ...NOTHING, here: [{ ...bareElement("mj-raw", source), content }] };
  const isInline = attributeValue(include, "css-inline") === "inline";
  const attributes = isInline ? [{ name: "inline", start: 0, value: "inline", valueStart: 0 }] : [];
  return { ...NOTHING, styles: [{ ...bareElement("mj-style", source), attributes, content }] };
}

/** A whole document contributes the children of its body and head; a fragment contributes everything. */
async function splitDocument(roots: readonly MjmlElement[], options: IncludeOptions): Promise<Included> {
  const document = roots.find(({ tagName }) => tagName === "mjml");
  const fragment = document ?? wrapper(roots);
  if (!fragment) return NOTHING;
  const { head, styles } = await expand(fragment, options);
  if (!document) return { here: fragment.children, head, styles };
  const ownHead = document.children.filter(({ tagName }) => tagName === "mj-head").flatMap(({ children }) => children);
  const here = document.children.filter(({ tagName }) => tagName === "mj-body").flatMap(({ children }) => children);
  return { here, head: [...ownHead, ...head], styles };
}

function wrapper(roots: readonly MjmlElement[]): MjmlElement | undefined {
  const [first] = roots;
  return first && { ...bareElement("mj-body", first.source), children: [...roots] };
}

function bareElement(tagName: string, source: MjmlSource): MjmlElement {
  return { tagName, source, start: 0, attributes: [], children: [] };
}
