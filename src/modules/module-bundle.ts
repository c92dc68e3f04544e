/** A user's module with all own modules that it imports, as one ES module. Plain data: it may cross threads. */
export interface Bundle {
  /** The module that was asked for: absolute, links resolved. */
  readonly file: string;
  readonly code: string;
  /** Source map (version 3) of `code` as JSON; its sources are absolute paths. */
  readonly map: string;
  /** Every file that went in, absolute, sorted: what to watch. */
  readonly sources: readonly string[];
  /** What `code` imports by `./name`, where it was bundled together with others. */
  readonly shared?: readonly BundleFile[];
}

/** A file of a bundle. */
export interface BundleFile {
  readonly name: string;
  readonly code: string;
  /** As that of the bundle. */
  readonly map: string;
}
