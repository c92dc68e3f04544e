import { writeMarker } from "../../marker.js";
import { waitOutRateLimit } from "../patience.js";
import type { Target } from "../plan/plan.js";
import type { RemoteTemplate } from "../remote.js";
import type { ApplyContext } from "./context.js";

const TRIES = 2;

/**
 * Records in the marker what the service made of the content, so that later runs don't see it as drift. If that cannot
 * be written, the template is still applied, but its marker lacks the information.
 *
 * @returns The resulting template; without a marker if the description has no room for the information.
 */
export async function learn(template: RemoteTemplate, target: Target, context: ApplyContext): Promise<RemoteTemplate> {
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
