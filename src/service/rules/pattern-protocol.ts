import type { RuleKind } from "../../api/contract/rule-config.js";

/** The type and configuration of a rule with a user-written pattern: a regular expression or CEL. */
export type Pattern = Extract<RuleKind, { type: "regex" | "cel" }>;

/** An email, as rules see it. */
export interface RoutedMessage {
  /** The sender's address in the envelope. */
  readonly sender: string;
  /** The recipient's address at the domain. */
  readonly recipient: string;
  readonly subject: string;
  /** The text body. */
  readonly body: string;
  /** By lower-case name. Of repeated headers, the first. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A task for the worker: compile the pattern and, if there is a message, match it. */
export interface PatternTask {
  readonly pattern: Pattern;
  readonly message?: RoutedMessage;
}

/** The result: whether it matched, or why that is unknown. */
export type PatternAnswer = { readonly matched: boolean } | { readonly reason: string };
