import { realpath } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";

const answerSchema = z.object({ project: z.string().optional() });

/**
 * The project that the local service at an address is for, where that is another one than this: on a machine where many
 * projects are worked on, the usual port is of whichever came first.
 *
 * @param folder The project's, absolute, links resolved.
 * @returns The other project's folder; undefined where the service is for this project or one around it, or for none.
 * @throws No local service answers there.
 */
export async function otherOwner(url: string, folder: string, signal: AbortSignal): Promise<string | undefined> {
  const answer = await fetch(new URL("/local/service", url), { signal });
  if (!answer.ok) {
    await answer.body?.cancel();
    throw new Error(`${url} answered ${answer.status}: it is no local service.`);
  }
  const { project } = answerSchema.parse(await answer.json());
  if (project === undefined) return undefined;
  const owner = await realpath(project).catch(() => project);
  const within = path.relative(owner, folder);
  return within.startsWith("..") || path.isAbsolute(within) ? owner : undefined;
}
