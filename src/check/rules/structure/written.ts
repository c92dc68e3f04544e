import type { Edit } from "../../../diagnostic.js";
import { offsetAt } from "../../../text/position.js";
import type { EmailDocument } from "../../document/email-document.js";
import type { EmailElement } from "../../document/nodes.js";
import { readTag, type WrittenAttribute } from "../../document/written-tag.js";

/** The opening tag in the source for an element: its own, or that of a component that renders it. */
export interface SourceTag {
  /** `img`, `mj-image`, `Img` */
  readonly name: string;
  has(attribute: string): boolean;
  readonly attributes: readonly WrittenAttribute[];
  /** The edit that adds an attribute to it. */
  add(attribute: string): Edit;
}

/** Undefined for elements that a compiler adds, and if the place in the source is unknown. */
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
