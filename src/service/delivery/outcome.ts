import { z } from "zod";
import type { LogStatus } from "../../api/contract/v4/logs.js";

/** The final status of an email, in lower case. `soft-bounce` is delivered in the end. */
export const outcomeSchema = z.enum(["delivered", "soft-bounce", "hard-bounce", "bounced", "refused", "queued"]);

export type Outcome = z.output<typeof outcomeSchema>;

/** One event of an email, with codes and messages as SMTP servers use them. */
export interface Step {
  /** Milliseconds after the email was accepted. */
  readonly after: number;
  readonly status: LogStatus;
  readonly code: number;
  readonly message: string;
}

const MINUTE_MS = 60_000;

const queued: Step = { after: 0, status: "QUEUED", code: 250, message: "2.0.0 Queued" };
const delivered: Step = {
  after: 0,
  status: "DELIVERED",
  code: 250,
  message: "2.0.0 Captured: nothing leaves this machine",
};
const deferred: Step = { after: 0, status: "SOFT-BOUNCE", code: 451, message: "4.7.1 Greylisted, try again later" };

/** An email that is deferred is retried after one minute, and again after five more. */
const courses: Readonly<Record<Outcome, readonly Step[]>> = {
  delivered: [queued, delivered],
  "soft-bounce": [queued, deferred, { ...deferred, after: MINUTE_MS }, { ...delivered, after: 6 * MINUTE_MS }],
  "hard-bounce": [queued, { after: 0, status: "HARD-BOUNCE", code: 550, message: "5.1.1 User unknown" }],
  bounced: [queued, { after: 0, status: "BOUNCED", code: 554, message: "5.0.0 Delivery failed" }],
  refused: [queued, { after: 0, status: "REFUSED", code: 554, message: "5.7.1 Connection refused by policy" }],
  queued: [queued],
};

/** The events of an email with this outcome, in order. */
export function courseOf(outcome: Outcome): readonly Step[] {
  return courses[outcome];
}

/**
 * The outcome of an email to this address: the table's entry for the whole address, case-insensitive, otherwise the
 * outcome that the address itself names, as its local part (`hard-bounce@example.com`) or after its last `+`
 * (`ada+hard-bounce@example.com`).
 */
export function outcomeOf(email: string, table: Readonly<Record<string, Outcome>>): Outcome {
  const address = email.toLowerCase();
  const configured = Object.entries(table).find(([key]) => key.toLowerCase() === address);
  if (configured) return configured[1];
  const localPart = address.slice(0, address.lastIndexOf("@"));
  const named = outcomeSchema.safeParse(localPart.slice(localPart.lastIndexOf("+") + 1));
  return named.data ?? "delivered";
}
