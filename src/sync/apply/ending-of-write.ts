import { type Content, contentFields, isSameText } from "../content.js";
import type { DeleteOperation, Operation, Target } from "../plan/plan.js";
import type { RemoteTemplate } from "../remote.js";
import type { ApplyContext } from "./context.js";
import { CutContentError, cutFields } from "./cut-content.js";
import { applied, type Difference, type Ending } from "./outcome.js";
import { writeMarker } from "../../text/marker.js";
import { waitOutRateLimit } from "../patience.js";

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

const TRIES = 2;

/**
 * Records in the marker what the service made of the content, so that later runs don't see it as drift. If that cannot
 * be written, the template is still applied, but its marker lacks the information.
 *
 * @returns The resulting template; without a marker if the description has no room for the information.
 */
async function learn(template: RemoteTemplate, target: Target, context: ApplyContext): Promise<RemoteTemplate> {
  const { name, hash: stored, marker } = template;
  // Without a marker in the answer there is no place for it, and the marker of an edit names a different content.
  if (target.marker === undefined || target.isEdit || marker === undefined || marker.stored === stored) return template;
  const description = writeMarker(target.content.description, { ...target.marker, stored });
  for (let tries = 0; tries < TRIES; tries += 1) {
    const answer = await waitOutRateLimit(
      () =>
        context.send(
          (writer, domain, options) => writer.update(domain, name, { description }, options),
          () => true,
        ),
      context,
    ).catch(() => context.view.read(name).catch(() => undefined));
    if (answer === undefined) continue;
    context.view.note(answer);
    // If someone edited it meanwhile, this is not what the service made of it.
    if (answer.marker?.stored === stored) return answer.hash === stored ? answer : template;
    if (answer.marker === undefined) return answer;
  }
  return template;
}
