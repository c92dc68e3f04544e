import { closeSync, openSync, readFileSync, readSync, writeSync } from "node:fs";

/**
 * Erases variables from `/proc/PID/environ`, which every process of the same user may read. It contains the environment at the
 * start of this process, even if `process.env` has changed. `process.env` keeps the variables.
 *
 * Only Linux exposes that memory as a file and lets a process write to its own. Elsewhere, or if writing is forbidden, this does
 * nothing.
 */
export function hideFromSystem(names: readonly string[]): void {
  if (process.platform !== "linux" || names.length === 0) return;
  // Setting a variable again moves its value to a different address.
  for (const name of names) {
    const value = process.env[name];
    delete process.env[name];
    if (value !== undefined) process.env[name] = value;
  }
  try {
    overwrite(new Set(names));
  } catch {
    // This is only one of several protections (docs/decisions/0011), and not every system supports it.
  }
}

function overwrite(names: ReadonlySet<string>): void {
  const { start, end } = environmentBlock();
  const memory = openSync("/proc/self/mem", "r+");
  try {
    const block = Buffer.alloc(end - start);
    readSync(memory, block, 0, block.length, start);
    for (let from = 0, to = 0; from < block.length; from = to + 1) {
      to = block.indexOf(0, from);
      if (to === -1) to = block.length;
      const [name = ""] = block.toString("utf8", from, to).split("=", 1);
      if (names.has(name)) writeSync(memory, Buffer.alloc(to - from), 0, to - from, start + from);
    }
  } finally {
    closeSync(memory);
  }
}

/** Fields 50 and 51 of proc_pid_stat(5). Field 2, the command's name, may contain spaces and parentheses. */
function environmentBlock(): { readonly start: number; readonly end: number } {
  const stat = readFileSync("/proc/self/stat", "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return { start: Number(fields[50 - 3]), end: Number(fields[51 - 3]) };
}
