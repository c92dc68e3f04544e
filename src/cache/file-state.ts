import { type BigIntStats, statSync } from "node:fs";

/**
 * What tells a file's content from any other that it had, without reading it. A content that is written anew has another
 * change time, which nobody can set, whatever becomes of its size and of its modification time.
 *
 * @returns Undefined where there is none.
 */
export function stateOf(file: string): FileState | undefined {
  const stats = attempt(() => statSync(file, { bigint: true, throwIfNoEntry: false }));
  if (!stats) return undefined;
  const { dev, ino, size, mtimeNs, ctimeNs } = stats;
  return { text: `${dev} ${ino} ${size} ${mtimeNs} ${ctimeNs}`, settledAt: settledAt(stats) };
}

export interface FileState {
  readonly text: string;
  /** From when on another change would give another state, by `Date.now()`: what is read before that may change unseen. */
  readonly settledAt: number;
}

/** Times are rounded to the ticks of a clock; some file systems know but whole seconds, or every other one. */
function settledAt({ mtimeNs, ctimeNs }: BigIntStats): number {
  const last = mtimeNs > ctimeNs ? mtimeNs : ctimeNs;
  const isWhole = mtimeNs % SECOND === 0n && ctimeNs % SECOND === 0n;
  return Number(last / 1_000_000n) + (isWhole ? 2000 : 20);
}

const SECOND = 1_000_000_000n;

/** What cannot be looked at is as good as not there. */
function attempt<Result>(look: () => Result): Result | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
