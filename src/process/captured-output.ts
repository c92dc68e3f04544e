/** How much of user code's output is kept, in bytes for each task. */
const LIMIT = 64 * 1024;

/**
 * Captures this thread's standard output and error, with bounded memory.
 *
 * @returns A function that returns what was printed since its last call.
 */
export function captureOutput(): () => string {
  let kept: Buffer[] = [];
  let room = LIMIT;
  const write = (chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
    if (room > 0) {
      const start = Buffer.from(chunk.slice(0, room)).subarray(0, room);
      kept.push(start);
      room -= start.length;
    }
    const written = rest.find((each) => typeof each === "function");
    if (written) queueMicrotask(() => written());
    return true;
  };
  process.stdout.write = write;
  process.stderr.write = write;
  return () => {
    const output = Buffer.concat(kept).toString();
    kept = [];
    room = LIMIT;
    return output;
  };
}
