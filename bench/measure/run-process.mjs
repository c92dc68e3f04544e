// @ts-check
import { spawn } from "node:child_process";
import { performance } from "node:perf_hooks";
import { processesOf, read } from "./processes.mjs";

/**
 * What a process and its descendants used. What is available on Linux only is 0 on other systems.
 *
 * @typedef {object} ProcessFigures
 * @property {number} wall Milliseconds.
 * @property {number} cpu Milliseconds of user and system time.
 * @property {number} memory Peak resident memory of its largest process, in bytes.
 */

/** How often memory is sampled, in ms. The kernel records the peak, so only a process's last moments can be missed. */
const SAMPLE_MS = 20;

/** The unit in which Linux counts a process's time, in ms. */
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
 * @throws If the exit code is not 0. The message contains the output.
 */
export async function runProcess([program = "", ...args], { cwd, env = process.env }) {
  const cpuBefore = cpuOfEndedProcesses();
  const start = performance.now();
  const child = spawn(program, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (printed += String(chunk)));
  const { pid = 0 } = child;
  let memory = 0;
  const sampling = setInterval(() => (memory = Math.max(memory, peakMemory(pid))), SAMPLE_MS);
  try {
    const code = await new Promise((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (exitCode, signal) => resolve(exitCode ?? signal));
    });
    const wall = performance.now() - start;
    if (code !== 0) throw new Error(`${[program, ...args].join(" ")} ended with ${code}:\n${printed.slice(-4000)}`);
    return { wall, cpu: cpuOfEndedProcesses() - cpuBefore, memory };
  } finally {
    clearInterval(sampling);
  }
}

/** The largest peak among a process and its running descendants. @param {number} pid */
function peakMemory(pid) {
  const peaks = processesOf(pid).map((each) =>
    Number(/^VmHWM:\s+(\d+) kB$/m.exec(read(`/proc/${each}/status`))?.[1] ?? 0),
  );
  return Math.max(...peaks) * 1024;
}

/** The processor time in ms of this process's children that have ended. */
function cpuOfEndedProcesses() {
  // The name may contain spaces. After its closing bracket come fields 3 and following of proc(5).
  const fields = read("/proc/self/stat").split(") ").at(-1)?.split(" ") ?? [];
  return (Number(fields[13] ?? 0) + Number(fields[14] ?? 0)) * TICK;
}
