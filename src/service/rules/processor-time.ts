import { setTimeout } from "node:timers/promises";

/** How soon to look again, at the least: a machine that is busy with other work takes its time. */
const LOOK_MS = 10;

/**
 * The processor time that this process, with all its threads, has had since then: milliseconds. Node tells no thread's
 * own, so that it is at least what a worker had, and other work on the machine is not in it.
 */
export function processorMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1_000;
}

/**
 * Resolves when the process has had so many milliseconds of processor time, however long a busy machine takes to give
 * them, and not before they have passed on a clock.
 */
export async function passed(limitMs: number, signal: AbortSignal): Promise<void> {
  const since = process.cpuUsage();
  for (let leftMs = limitMs; leftMs > 0; leftMs = limitMs - processorMs(since)) {
    await setTimeout(Math.max(leftMs, LOOK_MS), undefined, { signal });
  }
}
