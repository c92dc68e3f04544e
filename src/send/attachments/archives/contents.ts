/** What is known about an archive without unpacking it. */
export interface ArchiveContents {
  /** With their folders, separated by `/` or `\`. */
  readonly names: readonly string[];
  /** Why there may be more names; undefined if these are all. */
  readonly unread?: string;
}
