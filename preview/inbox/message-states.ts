import type { Tone } from "../ui/badge.js";

interface StateWords {
  readonly label: string;
  readonly tone: Tone;
  /** What it means, in a sentence. */
  readonly meaning: string;
  /** Whether `templates outbox retry` and `discard` apply to it. */
  readonly canRetry?: true;
  readonly canDiscard?: true;
}

const words: Readonly<Record<string, StateWords>> = {
  queued: {
    label: "Queued",
    tone: "neutral",
    meaning: "It waits for the rate limit, for its time, or for a retry. A running worker sends it.",
    canDiscard: true,
  },
  sending: {
    label: "Sending",
    tone: "accent",
    meaning: "It is being sent. If that process is killed, another one continues.",
  },
  accepted: { label: "Accepted", tone: "good", meaning: "The service accepted it." },
  rejected: {
    label: "Rejected",
    tone: "error",
    meaning: "The service refused it, or its address is suppressed. Fix the problem, then retry.",
    canRetry: true,
    canDiscard: true,
  },
  parked: {
    label: "Parked",
    tone: "warning",
    meaning:
      "It may have been sent, but the delivery log does not show it. Investigate, then retry or discard it: a retry searches the log again first.",
    canRetry: true,
    canDiscard: true,
  },
  expired: {
    label: "Expired",
    tone: "neutral",
    meaning: "It was not sent before it expired.",
    canRetry: true,
    canDiscard: true,
  },
  discarded: { label: "Discarded", tone: "neutral", meaning: "Someone discarded it, so it is not sent." },
};

export const stateWords = (state: string): StateWords => words[state] ?? { label: state, tone: "neutral", meaning: "" };
