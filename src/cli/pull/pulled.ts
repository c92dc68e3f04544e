import { type Content, type ContentField, contentFields } from "../../sync/content.js";

/** The result of pulling one template. */
export interface Pulled {
  /** The name in the project. */
  readonly name: string;
  readonly state: PullState;
  /** Why it was skipped, or what differs. */
  readonly reasons: readonly string[];
}

export type PullState =
  /** Its files were written and compile to what the service has. */
  | "pulled"
  /** Its files were written but do not compile to what the service has. */
  | "inexact"
  /** The project already has the same template. */
  | "unchanged"
  /** The project has a different template of this name. */
  | "kept"
  /** Its name is not valid in the project. */
  | "refused";

/** The fields that are not exactly equal. */
export function differingFields(one: Content, other: Content): ContentField[] {
  return contentFields.filter((field) => one[field] !== other[field]);
}
