import type { SourcePosition } from "../../diagnostic.js";
import { chainNote } from "./chain.js";
import type { MappedText } from "./mapped-text.js";

/** A position in one of a template's files. */
export interface Place {
  readonly at: SourcePosition;
  /** A note on how the file came to be included, for the end of a message; empty for the template's body. */
  readonly note: string;
}

/** Finds the source position of a string that compiling has not changed. */
export type Locate = (written: string) => Place | undefined;

export function locator(texts: readonly MappedText[]): Locate {
  return (written) => {
    const source = texts.find(({ text }) => text.includes(written));
    if (!source) return undefined;
    const offset = source.text.indexOf(written);
    return { at: source.positionAt(offset), note: chainNote(source.chainAt(offset)) };
  };
}
