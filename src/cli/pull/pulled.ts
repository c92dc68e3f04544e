import { type Content, type ContentField, contentFields } from "../../sync/content.js";

/** What became of one template that was asked for. */
export interface Pulled {
  /** In the project. */
  readonly name: string;
  readonly state: PullState;
  /** Why it was left, or in what it differs. */
  readonly reasons: readonly string[];
}

export type PullState =
  /** Its files were written, and compile to what the service has. */
  | "pulled"
  /** Its files were written, and do not. */
  | "inexact"
  /** It is here, and the same. */
  | "unchanged"
  /** It is here, and something else. */
  | "kept"
  /** The project can't have it. */
  | "refused";

/** The fields in which two contents are not the same, character for character. */
export function differingFields(one: Content, other: Content): ContentField[] {
  return contentFields.filter((field) => one[field] !== other[field]);
}
