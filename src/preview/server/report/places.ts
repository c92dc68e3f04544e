import type { EmailDocument } from "../../../check/document/email-document.js";
import type { EmailElement } from "../../../check/document/nodes.js";
import type { SourcePosition } from "../../../diagnostic.js";
import { separateDotted } from "../../../mustache/check-variables.js";
import { restore } from "../../../mustache/tokens.js";
import { separateBraces } from "../../../render/bodies.js";
import { removeSites } from "../../../render/source/mapped-text.js";
import type { CompiledTemplate, Template } from "../../../project/template.js";
import type { ElementPlace } from "../../contract.js";
import type { ShownPath } from "./problems.js";

/** The elements of compiled HTML, by number. */
export interface Places {
  readonly list: readonly ElementPlace[];
  /** Undefined for elements that are not visible: the head and its content. */
  indexOf(element: EmailElement): number | undefined;
}

/** Where the elements of compiled HTML start in it, and where they were written. */
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

/** If an element's name contains variables, the end of the name is unknown. */
function isTag({ start, name }: EmailElement): boolean {
  return start !== undefined && !name.includes("\uE000");
}

function isShown({ name, parent }: EmailElement): boolean {
  return name !== "html" && name !== "head" && parent?.name !== "head";
}

/** Elements that the compiler adds get the position of their parent. */
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
  /** With tokens and sites. */
  readonly html: { readonly html: string; readonly tags: EmailDocument["input"]["tags"] };
  readonly compiled: CompiledTemplate;
  readonly isVerbatim: boolean | undefined;
}

/**
 * Where elements start in the compiled HTML. Each is marked in the HTML that was parsed, and the remaining compiler
 * steps are repeated. Undefined if the result differs from the compiled HTML.
 */
function offsetsOf(elements: readonly EmailElement[], { html, compiled, isVerbatim }: Compiling): number[] | undefined {
  const { html_body: wanted, contract } = compiled;
  const mark = MARKS.find((character) => !wanted.includes(character));
  if (mark === undefined) return undefined;
  const marked = removeSites(withMarks(html.html, elements, mark));
  let restored = restore(isVerbatim ? marked : separateBraces(marked), html.tags, "html");
  if (restored.length !== wanted.length + elements.length) restored = separateDotted(restored, contract);
  const parts = restored.split(mark);
  if (parts.join("") !== wanted) return undefined;
  let offset = 0;
  return parts.slice(0, -1).map((part) => (offset += part.length));
}

/** Private-use characters, which have no meaning. */
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
