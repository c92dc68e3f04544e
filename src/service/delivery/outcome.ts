import { z } from "zod";
import type { LogStatus } from "../../api/contract/v4/logs.js";

/** What becomes of a mail: the status that it ends with, in lower case; `soft-bounce` is delivered in the end. */
export const outcomeSchema = z.enum(["delivered", "soft-bounce", "hard-bounce", "bounced", "refused", "queued"]);

export type Outcome = z.output<typeof outcomeSchema>;

/** One thing that happens to a mail, as SMTP servers say it. */
export interface Step {
  /** Milliseconds after the mail was accepted. */
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

/** A mail that is refused for the time being is tried again after one minute, and again after five more. */
const courses: Readonly<Record<Outcome, readonly Step[]>> = {
  delivered: [queued, delivered],
  "soft-bounce": [queued, deferred, { ...deferred, after: MINUTE_MS }, { ...delivered, after: 6 * MINUTE_MS }],
  "hard-bounce": [queued, { after: 0, status: "HARD-BOUNCE", code: 550, message: "5.1.1 User unknown" }],
  bounced: [queued, { after: 0, status: "BOUNCED", code: 554, message: "5.0.0 Delivery failed" }],
  refused: [queued, { after: 0, status: "REFUSED", code: 554, message: "5.7.1 Connection refused by policy" }],
  queued: [queued],
};

/** What happens to a mail with this outcome, in its order. */
export function courseOf(outcome: Outcome): readonly Step[] {
  return courses[outcome];
}

/**
 * What becomes of a mail to this address: what the table says for the whole address, in any case, else what the address
 * itself says, by its local part (`hard-bounce@example.com`) or by what stands after its last `+`
 * (`ada+hard-bounce@example.com`).
 */
export function outcomeOf(email: string, table: Readonly<Record<string, Outcome>>): Outcome {
  const address = email.toLowerCase();
  const given = Object.entries(table).find(([key]) => key.toLowerCase() === address);
  if (given) return given[1];
  const localPart = address.slice(0, address.lastIndexOf("@"));
  const asked = outcomeSchema.safeParse(localPart.slice(localPart.lastIndexOf("+") + 1));
  return asked.data ?? "delivered";
}
