import type { EmailDocument } from "../../../check/document/email-document.js";
import type { EmailElement } from "../../../check/document/nodes.js";
import type { SourcePosition } from "../../../diagnostic.js";
import { separateDotted } from "../../../mustache/dotted.js";
import { restore } from "../../../mustache/tokens.js";
import { separateBraces } from "../../../render/braces.js";
import { withoutSites } from "../../../render/source/sites.js";
import type { CompiledTemplate, Template } from "../../../template/template.js";
import type { ElementPlace } from "../../contract.js";
import type { ShownPath } from "./shown-path.js";

/** The elements of a compiled html, by number. */
export interface Places {
  readonly list: readonly ElementPlace[];
  /** Undefined for what nobody sees: the head and what is in it. */
  indexOf(element: EmailElement): number | undefined;
}

/** Where the elements of a compiled html begin in it, and where they were written. */
export function placesOf(
  { template, compiled }: { readonly template: Template; readonly compiled: CompiledTemplate },
  document: EmailDocument,
  shownPath: ShownPath,
): Places {
  const elements = document.elements.filter(isTag);
  const offsets = offsetsOf(elements, { html: document.input, compiled, isVerbatim: template.metadata.verbatim });
  if (!offsets) return { list: [], indexOf: () => undefined };
  const positions = new Map<EmailElement, SourcePosition>();
  const indexes = new Map<EmailElement, number>();
  const list = elements.map((element, index): ElementPlace => {
    const at = positionOf(element, positions, document);
    positions.set(element, at);
    if (isShown(element)) indexes.set(element, index);
    const { file, line = 1, column = 1 } = at;
    return { offset: offsets[index] ?? 0, file: shownPath(file), line, column };
  });
  return { list, indexOf: (element) => indexes.get(element) };
}

/** Of an element whose name is put together from variables, nobody knows where the name ends. */
function isTag({ start, name }: EmailElement): boolean {
  return start !== undefined && !name.includes("\uE000");
}

function isShown({ name, parent }: EmailElement): boolean {
  return name !== "html" && name !== "head" && parent?.name !== "head";
}

/** What a compiler adds was written where the element around it was. */
function positionOf(
  element: EmailElement,
  known: ReadonlyMap<EmailElement, SourcePosition>,
  { isSited }: EmailDocument,
): SourcePosition {
  const around = element.parent && known.get(element.parent);
  if (isSited) return element.place?.at ?? around ?? element.at();
  const guess = element.at();
  return guess.line === undefined ? (around ?? guess) : guess;
}

interface Compiling {
  /** Tokenised, with sites. */
  readonly html: { readonly html: string; readonly tags: EmailDocument["input"]["tags"] };
  readonly compiled: CompiledTemplate;
  readonly isVerbatim: boolean | undefined;
}

/**
 * Where elements begin in the compiled html: each is marked where it begins in the html that was read, and what compiling
 * does after that is done once more. Undefined where something else comes of it.
 */
function offsetsOf(elements: readonly EmailElement[], { html, compiled, isVerbatim }: Compiling): number[] | undefined {
  const { html_body: wanted, contract } = compiled;
  const mark = MARKS.find((character) => !wanted.includes(character));
  if (mark === undefined) return undefined;
  const marked = withoutSites(withMarks(html.html, elements, mark));
  let restored = restore(isVerbatim ? marked : separateBraces(marked), html.tags, "html");
  if (restored.length !== wanted.length + elements.length) restored = separateDotted(restored, contract);
  const parts = restored.split(mark);
  if (parts.join("") !== wanted) return undefined;
  let offset = 0;
  return parts.slice(0, -1).map((part) => (offset += part.length));
}

/** Characters that mean nothing to anybody. */
const MARKS = Array.from({ length: 16 }, (_, number) => String.fromCharCode(0xf000 + number));

function withMarks(html: string, elements: readonly EmailElement[], mark: string): string {
  let marked = "";
  let from = 0;
  for (const { start = 0 } of elements) {
    marked += html.slice(from, start) + mark;
    from = start;
  }
  return marked + html.slice(from);
}
