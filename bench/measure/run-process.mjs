// @ts-check
import { spawn } from "node:child_process";
import { performance } from "node:perf_hooks";
import { processesOf, read } from "./processes.mjs";

/**
 * How a process went, with all that it started. What only Linux tells is 0 elsewhere.
 *
 * @typedef {object} ProcessFigures
 * @property {number} wall Milliseconds.
 * @property {number} cpu Milliseconds of user and system time.
 * @property {number} memory Peak resident bytes of its largest process.
 */

/** Milliseconds between two looks at the memory. The kernel keeps the peak, so that only a process's last moments can be missed. */
const LOOK = 20;

/** Milliseconds in which Linux counts a process's time. */
const TICK = 10;

/**
 * Runs a program to its end.
 *
 * @example
 * const { wall, memory } = await runProcess([process.execPath, "-e", "0"], { cwd: "." });
 *
 * @param {readonly string[]} command The program and its arguments.
 * @param {{ readonly cwd: string, readonly env?: NodeJS.ProcessEnv }} options
 * @returns {Promise<ProcessFigures>}
 * @throws It ended with anything but 0; the message has what it printed.
 */
export async function runProcess([program = "", ...args], { cwd, env = process.env }) {
  const cpuBefore = cpuOfEndedProcesses();
  const start = performance.now();
  const child = spawn(program, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (printed += String(chunk)));
  const { pid = 0 } = child;
  let memory = 0;
  const looking = setInterval(() => (memory = Math.max(memory, peakMemory(pid))), LOOK);
  try {
    const code = await new Promise((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (exitCode, signal) => resolve(exitCode ?? signal));
    });
    const wall = performance.now() - start;
    if (code !== 0) throw new Error(`${[program, ...args].join(" ")} ended with ${code}:\n${printed.slice(-4000)}`);
    return { wall, cpu: cpuOfEndedProcesses() - cpuBefore, memory };
  } finally {
    clearInterval(looking);
  }
}

/** The largest peak of a process and of what it started and has not ended. @param {number} pid */
function peakMemory(pid) {
  const peaks = processesOf(pid).map((each) =>
    Number(/^VmHWM:\s+(\d+) kB$/m.exec(read(`/proc/${each}/status`))?.[1] ?? 0),
  );
  return Math.max(...peaks) * 1024;
}

/** Milliseconds that the processes have taken which this one started and which have ended. */
function cpuOfEndedProcesses() {
  // The name before them may hold spaces: what follows its bracket are fields 3 and on of proc(5).
  const fields = read("/proc/self/stat").split(") ").at(-1)?.split(" ") ?? [];
  return (Number(fields[13] ?? 0) + Number(fields[14] ?? 0)) * TICK;
}
