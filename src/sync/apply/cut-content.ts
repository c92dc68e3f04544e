import { LettershopError } from "../../errors.js";
import { type Content, type ContentField, isBeginningOf, isSameText } from "../content.js";

/** A field of which the service has stored only the beginning, or nothing. */
export interface CutField {
  readonly field: ContentField;
  /** Number of UTF-16 units that were sent. */
  readonly sent: number;
  /** Number of UTF-16 units that the service has. */
  readonly stored: number;
}

/** The fields that recipients see. A missing description does not affect messages. */
const sentFields = ["subject", "text_body", "html_body"] as const satisfies readonly ContentField[];

/** The fields of a message that the service has stored incompletely. */
export function cutFields(sent: Content, stored: Content): CutField[] {
  return sentFields
    .filter((field) => isBeginningOf(sent[field], stored[field]) && !isSameText(sent[field], stored[field]))
    .map((field) => ({ field, sent: sent[field].length, stored: stored[field].length }));
}

/** The service accepted a write, but did not store all of it. */
export class CutContentError extends LettershopError {
  override readonly name = "CutContentError";
  readonly code = "cutContent";

  constructor(readonly fields: readonly CutField[]) {
    const list = fields.map(({ field, sent, stored }) =>
      stored === 0 ? `${field} is empty` : `${field} ends after ${stored} of ${sent} characters`,
    );
    super(`The service did not store everything that was sent: ${list.join(", ")}.`);
  }
}
