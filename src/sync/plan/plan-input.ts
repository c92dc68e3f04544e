import type { VariablesContract } from "../../mustache/variables.js";
import type { LocalTemplate } from "../local.js";
import type { Held } from "./plan.js";
import type { Knowledge } from "./knowledge.js";

/** The user's choices for a plan. */
export interface PlanChoices {
  readonly renames: "keep" | "in-place";
  /** Whether to delete retired templates. */
  readonly prune: boolean;
  /** Whether a template, by its name on the service, is applied although it would be held back for this reason. */
  readonly letsThrough: (reason: Held["kind"], name: string) => boolean;
}

export interface PlanInput extends Knowledge {
  /** The templates to apply. */
  readonly local: readonly LocalTemplate[];
  /** The names on the service of all templates in the project, even if they are not applied. */
  readonly present: ReadonlySet<string>;
  readonly choices: PlanChoices;
  /** Whether a name that the project doesn't have belongs to this environment, by its affixes and patterns. */
  readonly isInReach: (name: string) => boolean;
  /** Whether a name matches the project's patterns of prunable templates, whoever applied it. */
  readonly isPrunable: (name: string) => boolean;
  /** Contracts of an older registry, by name on the service. */
  readonly contracts?: ReadonlyMap<string, VariablesContract>;
  /** Requests per minute of an endpoint, if known. */
  readonly limit?: (endpoint: string) => number | undefined;
}
