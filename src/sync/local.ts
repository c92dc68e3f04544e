import type { VariablesContract } from "../mustache/variables.js";
import type { Content } from "./content.js";

/** A compiled template in the form that sync uploads. */
export interface LocalTemplate {
  /** The name on the service, including the environment's affixes. */
  readonly name: string;
  /** The name in the project. */
  readonly template: string;
  readonly content: Content;
  /** Absent if only bodies are known, as when one environment's templates are promoted to another. */
  readonly contract?: VariablesContract;
  /**
   * The contract's identifier, which may be known even if the contract is absent. Default: derived from the contract.
   */
  readonly contractName?: string;
  /**
   * The backup file that the template is restored from, for display. A restored template counts as an edit on the
   * service: the marker and the lock still name what this project applied last, so that later runs hold it back.
   */
  readonly backup?: string;
  /** Its previous name on the service. */
  readonly renamedFrom?: string;
  /** It was edited in the environment that it is promoted from, after it was applied there. */
  readonly isDrifted?: true;
  /** The files that it was made from, relative to the project, with `/`. */
  readonly sources: readonly string[];
}
