import type { SourcePosition } from "../../diagnostic.js";
import { chainNote } from "./chain.js";
import type { MappedText } from "./mapped-text.js";

/** A place in one of a template's files. */
export interface Place {
  readonly at: SourcePosition;
  /** How the file came to be read, to end a message with; empty for the template's body. */
  readonly note: string;
}

/** Finds where something was written that has come through compiling as it was. */
export type Locate = (written: string) => Place | undefined;

export function locator(texts: readonly MappedText[]): Locate {
  return (written) => {
    const found = texts.find(({ text }) => text.includes(written));
    if (!found) return undefined;
    const offset = found.text.indexOf(written);
    return { at: found.positionAt(offset), note: chainNote(found.chainAt(offset)) };
  };
}
