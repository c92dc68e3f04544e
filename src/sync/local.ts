import type { VariablesContract } from "../mustache/variables.js";
import type { Content } from "./content.js";

/** A compiled template as sync wants it on the service. */
export interface LocalTemplate {
  /** On the service, the environment's affixes included. */
  readonly name: string;
  /** In the project. */
  readonly template: string;
  readonly content: Content;
  /** Absent where only bodies are known, as when one environment's templates are promoted to another. */
  readonly contract?: VariablesContract;
  /** Names the contract, also where it is absent. Default: by the contract. */
  readonly contractName?: string;
  /**
   * The file of the backup that it is restored from, as to be shown. What is restored counts as an edit on the service: the
   * marker and the lock still name what this project applied last, so that later runs hold it back.
   */
  readonly backup?: string;
  /** The name that it had before, on the service. */
  readonly renamedFrom?: string;
  /** It was edited, since it was applied there, in the environment that it is promoted from. */
  readonly isDrifted?: true;
  /** The files that it was made from, relative to the project, with `/`. */
  readonly sources: readonly string[];
}
