import type { VariablesContract } from "../../mustache/variables.js";
import type { LocalTemplate } from "../local.js";
import type { Held } from "./plan.js";
import type { Knowledge } from "./sides.js";

/** What a plan is to do, apart from what there is. */
export interface PlanChoices {
  readonly renames: "keep" | "in-place";
  /** Deletes what is retired. */
  readonly prune: boolean;
  /** Whether a template, by its name on the service, is applied although it would be held back for this reason. */
  readonly letsThrough: (reason: Held["kind"], name: string) => boolean;
}

export interface PlanInput extends Knowledge {
  /** The templates to apply. */
  readonly local: readonly LocalTemplate[];
  /** Names on the service of all that the project has, also where it is not to be applied. */
  readonly present: ReadonlySet<string>;
  readonly choices: PlanChoices;
  /** Whether a name that the project doesn't have is in this environment's reach, by its affixes and patterns. */
  readonly isInReach: (name: string) => boolean;
  /** Whether a name matches the project's patterns of what may be pruned, whoever applied it. */
  readonly isPrunable: (name: string) => boolean;
  /** Contracts of an older registry, by name on the service. */
  readonly contracts?: ReadonlyMap<string, VariablesContract>;
  /** Requests a minute of an endpoint, where the service has told. */
  readonly limit?: (endpoint: string) => number | undefined;
}
