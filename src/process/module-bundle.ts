/** A user's module with all own modules that it imports, as one ES module. Plain data that may cross threads. */
export interface Bundle {
  /** The bundled module: absolute, links resolved. */
  readonly file: string;
  readonly code: string;
  /** Source map (version 3) of `code` as JSON; its sources are absolute paths. */
  readonly map: string;
  /** Every file in the bundle, absolute, sorted: the files to watch. */
  readonly sources: readonly string[];
  /** Chunks that `code` imports as `./name`, if it was bundled together with others. */
  readonly shared?: readonly BundleFile[];
}

/** A file of a bundle. */
export interface BundleFile {
  readonly name: string;
  readonly code: string;
  /** Like the bundle's. */
  readonly map: string;
}
