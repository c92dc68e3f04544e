import { writeMarker } from "../../marker.js";
import { waitOutRateLimit } from "../patience.js";
import type { Target } from "../plan/plan.js";
import type { RemoteTemplate } from "../remote.js";
import type { ApplyContext } from "./context.js";

const TRIES = 2;

/**
 * Notes in the marker what the service made of the content, so that it is no drift for any later run. Where that cannot
 * be written, the template is as well applied as before, and its marker says nothing of it.
 *
 * @returns The template as it is then; without a marker where the description has no room for what was noted.
 */
export async function learn(template: RemoteTemplate, target: Target, context: ApplyContext): Promise<RemoteTemplate> {
  const { name, hash: stored, marker } = template;
  // Without a marker in the answer there is no place for it, and that of an edit names another content.
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
    // What somebody edited meanwhile is not what the service made of it.
    if (answer.marker?.stored === stored) return answer.hash === stored ? answer : template;
    if (answer.marker === undefined) return answer;
  }
  return template;
}
