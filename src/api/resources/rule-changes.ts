import type { AnsweredRuleKind, UnlistedRuleConfig } from "../contract/rule-config.js";
import type { NewRule as New, RuleChanges as Changes, RuleUpdate as Update } from "../contract/v4/rules.js";
import type { ReadOnly } from "./read-only.js";

/** What was read can be sent back, so that requests take the values that the document does not list, too. */
type ListedConfig = Exclude<AnsweredRuleKind["config"], UnlistedRuleConfig>;

type KeyOf<Config> = Config extends unknown ? keyof Config : never;

/** The members of one type's configuration, and none of another's. */
type Alone<Config> = Config extends unknown
  ? Config & { readonly [Other in Exclude<KeyOf<ListedConfig>, keyof Config>]?: never }
  : never;

/** The configuration of an alias', a regular expression's or a CEL expression's rule, or of a type that was read. */
export type OneRuleConfig = ReadOnly<Alone<ListedConfig> | UnlistedRuleConfig>;

/** What adding a rule takes. */
export type NewRule = ReadOnly<Pick<New, "rank" | "active" | "id"> & AnsweredRuleKind>;

/** What updating one rule takes. */
export type RuleChanges = Omit<Changes, "config"> & { readonly config: OneRuleConfig };

/** What updating one rule of several takes; what is missing stays. */
export type RuleUpdate = Omit<Update, "config"> & { readonly config?: OneRuleConfig };
