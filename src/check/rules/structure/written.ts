import type { Edit, SourcePosition } from "../../../diagnostic.js";
import { offsetAt } from "../../../position.js";
import type { EmailDocument } from "../../document/email-document.js";
import type { EmailElement } from "../../document/nodes.js";
import { readTag, type WrittenAttribute } from "../../document/written-tag.js";

/** The opening tag that a user wrote for an element: perhaps of a component that makes it. */
export interface SourceTag {
  /** `img`, `mj-image`, `Img` */
  readonly name: string;
  has(attribute: string): boolean;
  readonly attributes: readonly WrittenAttribute[];
  /** Writes an attribute into it. */
  add(attribute: string): Edit;
}

/** Undefined of what a compiler adds, and where it is not known what a user wrote. */
export function sourceTag({ input }: EmailDocument, { place }: Pick<EmailElement, "place">): SourceTag | undefined {
  const { file = "", line, column } = place?.at ?? {};
  const text = input.sources.get(file);
  if (text === undefined || line === undefined || column === undefined) return undefined;
  const offset = offsetAt(text, { line, column });
  if (offset === undefined) return undefined;
  const isJsx = /\.[jt]sx?$/.test(file);
  const tag = readTag(text, offset);
  if (!tag) return undefined;
  const remove = `<${tag.name}`;
  return {
    name: isJsx ? tag.name : tag.name.toLowerCase(),
    has: (attribute) => tag.attributes.some(({ name }) => name.toLowerCase() === attribute),
    attributes: tag.attributes,
    add: (attribute) => ({ at: { file, line, column }, remove, insert: `${remove} ${attribute}` }),
  };
}

/** A tag of html that a component prints as it is. */
export interface RawTag {
  readonly at: SourcePosition;
  /** Writes an attribute into it; absent where the source does not have the tag letter by letter. */
  readonly add?: (attribute: string) => Edit;
}

/** What React prints of `dangerouslySetInnerHTML`; undefined of any other element. */
export function rawTag(document: EmailDocument, { start, place, ancestors }: EmailElement): RawTag | undefined {
  const around = ancestors.find((each) => each.place);
  if (start === undefined || place || !around) return undefined;
  if (sourceTag(document, around)?.has("dangerouslysetinnerhtml") !== true) return undefined;
  const at = around.at("dangerouslySetInnerHTML");
  const { html } = document.input;
  const tag = readTag(html, start);
  const written = tag ? html.slice(start, tag.end) : "";
  const own = written === "" || written.includes("\uE000") ? undefined : document.positionOf(written);
  if (own?.line === undefined || own.column === undefined) return { at };
  const { file, line, column } = own;
  const remove = `<${tag?.name ?? ""}`;
  // A tag with quotes stands where others may stand.
  if (!written.includes('"')) return { at: own };
  return { at: own, add: (attribute) => ({ at: { file, line, column }, remove, insert: `${remove} ${attribute}` }) };
}
