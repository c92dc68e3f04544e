// @ts-check
import { readdirSync, readFileSync } from "node:fs";

/**
 * A process and all its descendants. On systems other than Linux, the process alone.
 *
 * @param {number} pid
 * @returns {number[]}
 */
export function processesOf(pid) {
  const children = list(`/proc/${pid}/task`).flatMap((thread) =>
    read(`/proc/${pid}/task/${thread}/children`).split(" ").filter(Boolean).map(Number),
  );
  return [pid, ...children.flatMap(processesOf)];
}

/** The memory in bytes of a process and its descendants, with shared memory counted once. @param {number} pid */
export function memoryOf(pid) {
  let sum = 0;
  for (const each of processesOf(pid))
    sum += Number(/^Pss:\s+(\d+) kB$/m.exec(read(`/proc/${each}/smaps_rollup`))?.[1] ?? 0) * 1024;
  return sum;
}

/** Reads a file in `/proc`; empty if it does not exist or the process has just ended. @param {string} file */
export function read(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

/** @param {string} folder */
function list(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
