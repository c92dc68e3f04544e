/** Reasons by the codes of Node's errors. */
const files: Readonly<Record<string, string>> = {
  EEXIST: "it is a file, not a folder",
  ENOTDIR: "a part of its path is a file, not a folder",
  EACCES: "this user has no permission to write there",
  EPERM: "this user has no permission to write there",
  EROFS: "it is on a read-only disk",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota of this user is used up",
  ENAMETOOLONG: "its path is too long",
};

/** Reasons by the primary codes of SQLite's errors. */
const databases: Readonly<Record<number, string>> = {
  8: "its service.db or service.lock can't be written",
  10: "its service.db can't be read or written; the disk may be full or broken",
  11: "its service.db is damaged",
  13: "the disk is full",
  14: "its service.db or service.lock can't be opened",
  26: "its service.db or service.lock is not a database of the local service",
};

/** Why a data folder cannot be used. Undefined if the error has another cause. */
export function whyUnusable(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ("errcode" in error && typeof error.errcode === "number") return databases[error.errcode & 0xff];
  return "code" in error && typeof error.code === "string" ? files[error.code] : undefined;
}
