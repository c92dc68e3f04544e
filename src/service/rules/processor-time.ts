import { setTimeout } from "node:timers/promises";

/** Minimum pause in ms between measurements, because on a busy machine CPU time passes slowly. */
const LOOK_MS = 10;

/**
 * The CPU time of this process with all its threads since a measurement, in ms. Node does not report the time of a
 * single thread. This is at least a worker's time, and excludes other processes.
 */
export function processorMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1_000;
}

/**
 * Resolves when the process has used this much CPU time in ms, however long that takes on a busy machine, but not
 * before that much wall-clock time has passed.
 */
export async function passed(limitMs: number, signal: AbortSignal): Promise<void> {
  const since = process.cpuUsage();
  for (let leftMs = limitMs; leftMs > 0; leftMs = limitMs - processorMs(since)) {
    await setTimeout(Math.max(leftMs, LOOK_MS), undefined, { signal });
  }
}
