import type { SourcePosition } from "../../diagnostic.js";
import type { SourceFile } from "../../project/template.js";
import type { Attribute } from "../../text/markup/scan.js";
import type { MappedText } from "../source/mapped-text.js";
import type { SectionTags } from "./library.js";

/** A string to be read as MJML, and the files that led to it, beginning with the template's body. */
export interface MjmlSource {
  readonly mapped: MappedText;
  readonly chain: readonly SourceFile[];
}

/** The content of an element that contains no elements: HTML, CSS, or text. */
export interface MjmlContent {
  readonly text: string;
  /** Its offset in the source's mapped text. */
  readonly start: number;
}

/** An element of the source. Mutable, because includes are replaced in place. */
export interface MjmlElement {
  readonly tagName: string;
  readonly source: MjmlSource;
  /** Its offset in the source's mapped text. */
  readonly start: number;
  attributes: readonly Attribute[];
  children: MjmlElement[];
  content?: MjmlContent;
  /** The number of its source position, in a sited compile. */
  site?: string;
  /** The sections in which its wrapper's gap is above it; absent if MJML decides. */
  gapIn?: readonly SectionTags[];
  /** Its name was misspelt, and is read as the most similar one. */
  readonly isMistyped?: true;
  /** Represents a tag written between elements, where MJML drops all text. */
  readonly isBareTag?: true;
}

export function positionOf(element: MjmlElement, offset = element.start): SourcePosition {
  return element.source.mapped.positionAt(offset);
}

export function attributeValue(element: MjmlElement, name: string): string | undefined {
  return element.attributes.find((attribute) => attribute.name === name)?.value;
}
