import type { RuleKind } from "../../api/contract/rule-config.js";

/** A rule's type and configuration, where the rule is decided by what someone wrote: a regular expression or CEL. */
export type Pattern = Extract<RuleKind, { type: "regex" | "cel" }>;

/** A mail, as rules see it. */
export interface RoutedMessage {
  /** The address of the envelope's sender. */
  readonly sender: string;
  /** The address at the domain. */
  readonly recipient: string;
  readonly subject: string;
  /** Its text. */
  readonly body: string;
  /** By name in lower case; of a repeated one the first. */
  readonly headers: Readonly<Record<string, string>>;
}

/** What the worker is asked: whether the pattern compiles, and, where there is a message, whether it matches. */
export interface PatternTask {
  readonly pattern: Pattern;
  readonly message?: RoutedMessage;
}

/** What came of it: a match or none, or why there is no saying. */
export type PatternAnswer = { readonly matched: boolean } | { readonly reason: string };
