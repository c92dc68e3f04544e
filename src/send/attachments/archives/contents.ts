/** What is known of an archive without unpacking it. */
export interface ArchiveContents {
  /** With their folders, separated by `/` or `\`. */
  readonly names: readonly string[];
  /** Why there may be more in it; undefined where these are all. */
  readonly unread?: string;
}
