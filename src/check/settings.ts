/** What a project's configuration says about checks, defaults filled in. */
export interface CheckSettings {
  /** Patterns of mail clients whose support counts; empty: those of the default list. */
  readonly clients: readonly string[];
  /** Names that may be printed unescaped, as `{{{name}}}`, in html. */
  readonly rawVariables: readonly string[];
  /** Whether rules may ask the network. */
  readonly network: boolean;
  /** How many characters sync puts behind a description. */
  readonly markerLength: number;
}

export const DEFAULT_SETTINGS: CheckSettings = { clients: [], rawVariables: [], network: false, markerLength: 0 };
