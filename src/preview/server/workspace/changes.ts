/** What has to be checked for changes. */
export interface Changes {
  /** Files that were written, added or removed, as absolute paths. */
  readonly files: ReadonlySet<string>;
  /** Whether anything else may have changed too. */
  readonly isAll: boolean;
}

export const EVERYTHING: Changes = { files: new Set(), isAll: true };

export function changesOf(files: ReadonlySet<string> | "all"): Changes {
  return files === "all" ? EVERYTHING : { files, isAll: false };
}

export function joined(one: Changes | undefined, other: Changes): Changes {
  if (!one) return other;
  return { files: new Set([...one.files, ...other.files]), isAll: one.isAll || other.isAll };
}
