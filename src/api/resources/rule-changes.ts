import type { AnsweredRuleKind, UnlistedRuleConfig } from "../contract/rule-config.js";
import type { NewRule as New, RuleChanges as Changes, RuleUpdate as Update } from "../contract/v4/rules.js";
import type { ReadOnly } from "./read-only.js";

/**
 * Configurations that were read can be sent back, so requests also accept values that the documentation does not list.
 */
type ListedConfig = Exclude<AnsweredRuleKind["config"], UnlistedRuleConfig>;

type KeyOf<Config> = Config extends unknown ? keyof Config : never;

/** The properties of one type's configuration, and none of another's. */
type Alone<Config> = Config extends unknown
  ? Config & { readonly [Other in Exclude<KeyOf<ListedConfig>, keyof Config>]?: never }
  : never;

/** The configuration of a rule for an alias, a regular expression or a CEL expression, or of a type that was read. */
export type OneRuleConfig = ReadOnly<Alone<ListedConfig> | UnlistedRuleConfig>;

/** A rule to add. */
export type NewRule = ReadOnly<Pick<New, "rank" | "active" | "id"> & AnsweredRuleKind>;

/** The changes for updating one rule. */
export type RuleChanges = Omit<Changes, "config"> & { readonly config: OneRuleConfig };

/** An entry for updating several rules; absent fields stay unchanged. */
export type RuleUpdate = Omit<Update, "config"> & { readonly config?: OneRuleConfig };
