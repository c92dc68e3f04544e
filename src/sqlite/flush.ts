import { closeSync, fdatasync, openSync } from "node:fs";
import { promisify } from "node:util";

/** Brings what was written to a file onto the disk. */
export interface Flush {
  /**
   * Resolves when all that was written before the call is on the disk. Calls that come together share one flush.
   *
   * @throws the file system's error where that fails.
   */
  flushed(): Promise<void>;
  close(): void;
}

/** For what is on no disk at all. */
export const noFlush: Flush = { flushed: () => Promise.resolve(), close: () => {} };

const flushData = promisify(fdatasync);

/**
 * Flushes a file through a handle of its own, beside whoever writes it.
 *
 * @param changes How many changes were written so far: where there are no new ones, nothing is flushed. Without it there
 * are always new ones.
 */
export function flushOf(file: string, changes = () => Number.NaN): Flush {
  const handle = openSync(file, "r+");
  let flushed = changes();
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  /** The flush that runs may have begun before the latest write: that one needs another, after it. */
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
