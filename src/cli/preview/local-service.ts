import type { Environment } from "../../project/environment.js";
import type { Project } from "../../project/load-project.js";
import type { Target } from "../target.js";
import { quietOutput } from "../output.js";

/** The local service: the running one, else one that is started and stops with the preview. */
export type PreviewLocalService = ReturnType<typeof openLocalService>;

/** @param onStarted Receives the service's URL if it is started. */
export function openLocalService(onStarted: (url: string) => void) {
  let started: Target | undefined;
  let opening: Promise<Environment> | undefined;

  async function open(project: Project): Promise<Environment> {
    if (started !== undefined) return started.environment;
    const { openTarget } = await import("../target.js");
    const target = await openTarget(project, "local", quietOutput, { receivesSmtp: true });
    if (target.isTransient) {
      started = target;
      onStarted(target.environment.url);
    } else await target.close();
    return target.environment;
  }

  return {
    /** The `local` environment with the service's current URL and image URLs. */
    reach: (project: Project) => (opening ??= open(project).finally(() => (opening = undefined))),
    async close(): Promise<void> {
      await opening?.catch(() => undefined);
      await started?.close();
    },
  };
}
