import { type BigIntStats, statSync } from "node:fs";

/**
 * Identifies a file's content without reading it. Writing content changes the change time, which can't be set by programs,
 * even if size and modification time stay the same.
 *
 * @returns Undefined if there is no file.
 */
export function stateOf(file: string): FileState | undefined {
  const stats = attempt(() => statSync(file, { bigint: true, throwIfNoEntry: false }));
  if (!stats) return undefined;
  const { dev, ino, size, mtimeNs, ctimeNs } = stats;
  return { text: `${dev} ${ino} ${size} ${mtimeNs} ${ctimeNs}`, settledAt: settledAt(stats) };
}

export interface FileState {
  readonly text: string;
  /** The time (`Date.now()`) from which on another change would give another state; a change before that may go unnoticed. */
  readonly settledAt: number;
}

/** Times are rounded to clock ticks; some file systems only store whole seconds, or even ones. */
function settledAt({ mtimeNs, ctimeNs }: BigIntStats): number {
  const last = mtimeNs > ctimeNs ? mtimeNs : ctimeNs;
  const isWhole = mtimeNs % SECOND === 0n && ctimeNs % SECOND === 0n;
  return Number(last / 1_000_000n) + (isWhole ? 2000 : 20);
}

const SECOND = 1_000_000_000n;

/** A file that can't be accessed counts as missing. */
function attempt<Result>(look: () => Result): Result | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
