import type { SourcePosition } from "../../diagnostic.js";
import type { SourceFile } from "../../template/template.js";
import type { Attribute } from "../../markup/scan.js";
import type { MappedText } from "../source/mapped-text.js";
import type { SectionTags } from "./library.js";

/** A text that is read as MJML, and the files that led to it: the template's body first. */
export interface MjmlSource {
  readonly mapped: MappedText;
  readonly chain: readonly SourceFile[];
}

/** What an element holds that takes no elements: html, CSS, a text. */
export interface MjmlContent {
  readonly text: string;
  /** Where it begins in its source's mapped text. */
  readonly start: number;
}

/** An element of the source. Includes are replaced in place, so the tree is built to be changed. */
export interface MjmlElement {
  readonly tagName: string;
  readonly source: MjmlSource;
  /** Where it begins in its source's mapped text. */
  readonly start: number;
  attributes: readonly Attribute[];
  children: MjmlElement[];
  content?: MjmlContent;
  /** The number of its place, in a sited compile. */
  site?: string;
  /** The sections in which it has the gap of its wrapper above it; absent where MJML decides. */
  gapIn?: readonly SectionTags[];
  /** It was written with a name that is none, and is read as the nearest that there is. */
  readonly isMistyped?: true;
  /** It stands for a tag that was written between elements, where MJML drops all text. */
  readonly isBareTag?: true;
}

export function positionOf(element: MjmlElement, offset = element.start): SourcePosition {
  return element.source.mapped.positionAt(offset);
}

export function attributeValue(element: MjmlElement, name: string): string | undefined {
  return element.attributes.find((attribute) => attribute.name === name)?.value;
}
