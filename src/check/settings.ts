import type { ProbeOptions } from "./lib/probed-urls.js";

/** The project's settings for checks, with defaults. */
export interface CheckSettings {
  /** Patterns of mail clients to support; if empty, the default list. */
  readonly clients: readonly string[];
  /** Variables that html may print unescaped, as `{{{name}}}`. */
  readonly rawVariables: readonly string[];
  /** Whether rules may use the network. */
  readonly network: boolean;
  /** How URLs are requested. */
  readonly probing?: ProbeOptions;
  /** The number of characters that sync appends to a description. */
  readonly markerLength: number;
}

export const DEFAULT_SETTINGS: CheckSettings = { clients: [], rawVariables: [], network: false, markerLength: 0 };
