import type { SourcePosition } from "../diagnostic.js";
import { positionAt } from "../position.js";
import type { Template } from "../template/template.js";

/** Where a template's body has this text; only the file where it comes from a shared part or is computed. */
export function positionOfText(template: Template, text: string): SourcePosition {
  const offset = text === "" ? -1 : template.body.text.indexOf(text);
  return positionOfOffset(template, offset < 0 ? undefined : offset);
}

export function positionOfOffset({ body }: Template, offset: number | undefined): SourcePosition {
  return offset === undefined ? { file: body.file } : { file: body.file, ...positionAt(body.text, offset) };
}
