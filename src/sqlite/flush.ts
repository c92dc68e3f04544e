import { closeSync, fdatasync, openSync } from "node:fs";
import { promisify } from "node:util";

/** Flushes writes of a file to disk. */
export interface Flush {
  /**
   * Resolves when everything that was written before the call is on disk. Concurrent calls share one flush.
   *
   * @throws The file system's error, if that fails.
   */
  flushed(): Promise<void>;
  close(): void;
}

const flushData = promisify(fdatasync);

/**
 * Flushes a file through a separate handle, independent of its writers.
 *
 * @param changes Returns the number of changes so far: if there are no new ones, nothing is flushed. By default, it
 * always flushes.
 */
export function flushOf(file: string, changes = () => Number.NaN): Flush {
  const handle = openSync(file, "r+");
  let flushed = changes();
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  /** The running flush may have started before the latest write, which then needs another flush. */
  async function runNext(): Promise<void> {
    await running?.catch(() => {});
    next = undefined;
    const written = changes();
    running = flushData(handle);
    await running;
    flushed = written;
  }
  return {
    flushed: () => (changes() === flushed ? Promise.resolve() : (next ??= runNext())),
    close: () => void Promise.allSettled([running, next]).then(() => closeSync(handle)),
  };
}
