import { type Content, contentFields, isSameText } from "../content.js";
import type { DeleteOperation, Operation } from "../plan/plan.js";
import type { RemoteTemplate } from "../remote.js";
import type { ApplyContext } from "./context.js";
import { CutContentError, cutFields } from "./cut-content.js";
import { learn } from "./learn.js";
import { applied, type Difference, type Ending } from "./outcome.js";

/** The ending of an operation whose write took effect, according to what the service has stored. */
export async function endingOfWrite(
  operation: Exclude<Operation, DeleteOperation>,
  stored: RemoteTemplate,
  context: ApplyContext,
): Promise<Ending> {
  const { target } = operation;
  const cut = cutFields(target.content, stored.content);
  if (cut.length > 0) return { result: "failed", error: new CutContentError(cut), stored: stored.hash };
  const differs = differencesOf(target.content, stored.content);
  return applied(operation, differs.length === 0 ? stored : await learn(stored, target, context), differs);
}

/** Fields whose stored value differs from what was sent. */
export function differencesOf(sent: Content, stored: Content): Difference[] {
  return contentFields
    .filter((field) => !isSameText(sent[field], stored[field]))
    .map((field) => {
      let at = 0;
      while (at < sent[field].length && sent[field][at] === stored[field][at]) at += 1;
      return { field, sent: sent[field], stored: stored[field], at };
    });
}
