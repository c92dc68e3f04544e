import type { Environment } from "../../project/environment.js";
import type { Project } from "../../project/load-project.js";
import type { Target } from "../target.js";
import { quietOutput } from "../output.js";

/** The local service: the running one, else one that is started and stops with the preview. */
export interface PreviewLocalService {
  /** The `local` environment with the service's current URL and image URLs. */
  reach(project: Project): Promise<Environment>;
  close(): Promise<void>;
}

/** @param onStarted Receives the service's URL if it is started. */
export function openLocalService(onStarted: (url: string) => void): PreviewLocalService {
  let started: Target | undefined;
  let opening: Promise<Environment> | undefined;

  async function open(project: Project): Promise<Environment> {
    if (started !== undefined) return started.environment;
    const { openTarget } = await import("../target.js");
    const target = await openTarget(project, "local", quietOutput, {});
    if (target.isTransient) {
      started = target;
      onStarted(target.environment.url);
    } else await target.close();
    return target.environment;
  }

  return {
    reach: (project) => (opening ??= open(project).finally(() => (opening = undefined))),
    async close() {
      await opening?.catch(() => undefined);
      await started?.close();
    },
  };
}
