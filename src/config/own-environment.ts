import { closeSync, openSync, readFileSync, readSync, writeSync } from "node:fs";

/**
 * Takes variables out of the memory that the system shows as `/proc/PID/environ`, which every process of the same user may
 * read: the environment as it was when this process began, whatever became of `process.env`. There they stay as they are.
 *
 * Only Linux shows that memory as a file, and lets a process write its own; elsewhere, and where something forbids it,
 * nothing happens.
 */
export function hideFromSystem(names: readonly string[]): void {
  if (process.platform !== "linux" || names.length === 0) return;
  // A value that is set again lies elsewhere.
  for (const name of names) {
    const value = process.env[name];
    delete process.env[name];
    if (value !== undefined) process.env[name] = value;
  }
  try {
    overwrite(new Set(names));
  } catch {
    // It is one of several walls (docs/decisions/0011), and some systems have no place for it.
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

/** Fields 50 and 51 of proc_pid_stat(5); the second, the command's name, may hold spaces and brackets. */
function environmentBlock(): { readonly start: number; readonly end: number } {
  const stat = readFileSync("/proc/self/stat", "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return { start: Number(fields[50 - 3]), end: Number(fields[51 - 3]) };
}
