import { type ContentField, contentFields, isSameText } from "../content.js";
import type { RemoteTemplate } from "../remote.js";
import type { Target } from "../plan/plan.js";
import { type Difference, difference } from "./outcome.js";
import type { WriteRequest } from "./request.js";

/** What an answer says of what was sent. */
export interface ReadBack {
  /** Fields that were sent and are stored otherwise. */
  readonly differs: readonly Difference[];
  /** Fields that have changed and were not sent: somebody else wrote at the same moment. */
  readonly touched: readonly ContentField[];
}

/**
 * @param before As it was before the write; absent for what was created.
 * @param sends Undefined where it isn't known which of our tries had its effect: then no field counts as somebody else's.
 */
export function readBack(
  answer: RemoteTemplate,
  target: Target,
  sends: WriteRequest["sends"] | undefined,
  before: RemoteTemplate | undefined,
): ReadBack {
  const differing = contentFields.filter((field) => !isSameText(target.content[field], answer.content[field]));
  const isOurs = (field: ContentField) => sends?.has(field) ?? true;
  return {
    differs: differing.filter(isOurs).map((field) => difference(field, target.content, answer.content)),
    touched: contentFields.filter(
      (field) => !isOurs(field) && before !== undefined && before.stored[field] !== answer.stored[field],
    ),
  };
}
