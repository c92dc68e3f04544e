import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Parcel, Sent } from "../../../src/send/parcel.js";
import type { Fault, RunningService } from "../../../src/service/index.js";
import { DrivenClock, newEmail, newParcel, openDesk, startLocalService } from "./harness.js";

/** Few enough that many are identical, or look the same in the log. */
const message = fc.record({
  to: fc.constantFrom("ada@example.com", "Ada <ADA@example.com>", ["ada@example.com", "bob@example.com"]),
  subject: fc.constantFrom("Hi", "Receipt"),
  text: fc.constantFrom("One", "Two"),
});
const send = fc.record({
  message,
  priority: fc.constantFrom("normal" as const, "high" as const),
  maxWait: fc.constantFrom(5000, 60_000, Number.POSITIVE_INFINITY),
  afterMs: fc.constantFrom(0, 0, 0, 1000, 20_000),
});

const sending = fc.constantFrom<Fault>(
  { kind: "cut", endpoint: "emails.send", when: "after" },
  { kind: "cut", endpoint: "emails.send", when: "before" },
  { kind: "malformed", endpoint: "emails.send" },
  { kind: "refuse", endpoint: "emails.send", status: 500 },
  { kind: "refuse", endpoint: "emails.send", status: 429, retryAfter: 2 },
  { kind: "refuse", endpoint: "emails.send", status: 403 },
  // None: the failures of one endpoint happen one after the other.
  { kind: "delay", endpoint: "emails.send", milliseconds: 0 },
  { kind: "delay", endpoint: "emails.send", milliseconds: 0 },
);
const reading = fc.constantFrom<Fault>(
  { kind: "cut", endpoint: "logs.list", when: "before" },
  { kind: "malformed", endpoint: "logs.list" },
  { kind: "refuse", endpoint: "logs.list", status: 500 },
  { kind: "refuse", endpoint: "logs.list", status: 429, retryAfter: 1 },
);

interface Counts {
  accepted: number;
  unknown: number;
  mails: number;
}

const groupOf = ({ email: { to, subject = "", text = "" } }: Pick<Parcel, "email">) =>
  `${typeof to === "string" ? "one" : "both"} ${subject} ${text}`;

async function mailsOf(service: RunningService): Promise<{ messageId: string; group: string }[]> {
  const mails = service.mail.list({ limit: 1000 });
  return Promise.all(
    mails.map(async ({ id, messageId, subject, recipients }) => {
      const text = (await service.mail.open(id))?.text;
      return { messageId, group: `${recipients.length === 1 ? "one" : "both"} ${subject} ${text}` };
    }),
  );
}

async function deliverAll(
  sends: readonly (typeof send extends fc.Arbitrary<infer Send> ? Send : never)[],
  faults: readonly Fault[],
  logDelayMs: number,
  changes: Partial<Parcel> = {},
) {
  const clock = new DrivenClock();
  const service = await startLocalService(clock);
  const desk = await openDesk(service.url, { clock });
  service.settings.set({ logDelayMs });
  for (const fault of faults) service.faults.add(fault);
  const groups = new Map<string, Counts>();
  const countsOf = (group: string) => {
    const counts = groups.get(group) ?? { accepted: 0, unknown: 0, mails: 0 };
    groups.set(group, counts);
    return counts;
  };
  const accepted: Sent[] = [];
  const all = sends.map(async ({ message: { to, subject, text }, priority, maxWait, afterMs }) => {
    if (afterMs > 0) await new Promise<void>((resolve) => void clock.after(afterMs, resolve));
    const parcel = newParcel({ email: newEmail({ to, subject, text }), priority, ...changes });
    try {
      accepted.push(await desk.start(parcel, { maxWait }));
      countsOf(groupOf(parcel)).accepted += 1;
    } catch (error) {
      const code = error instanceof Error && "code" in error ? error.code : error;
      expect(["unknown_outcome", "rejected", "rate_limited", "unreachable", "in_doubt"]).toContain(code);
      if (code === "unknown_outcome") countsOf(groupOf(parcel)).unknown += 1;
    }
  });
  await clock.until(Promise.all(all));
  const mails = await mailsOf(service);
  for (const { group } of mails) countsOf(group).mails += 1;
  await desk.close();
  await service.close();
  return { groups, accepted, mails };
}

const numRuns = process.env["MODE"] === "long" ? 1000 : 10;

test("delivers accepted messages once, and unknown ones at most once, whatever fails", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(send, { minLength: 1, maxLength: 12 }),
      fc.array(fc.oneof({ arbitrary: sending, weight: 3 }, reading), { maxLength: 14 }),
      fc.constantFrom(0, 3000, 30_000),
      async (sends, faults, logDelayMs) => {
        const { groups, accepted, mails } = await deliverAll(sends, faults, logDelayMs);
        const claimed = accepted.map(({ messageId }) => messageId);
        expect(new Set(claimed).size).toBe(claimed.length);
        for (const messageId of claimed) expect(mails.map((mail) => mail.messageId)).toContain(messageId);
        for (const [group, { accepted: sent, unknown, mails: arrived }] of groups) {
          expect(arrived, group).toBeGreaterThanOrEqual(sent);
          expect(arrived, group).toBeLessThanOrEqual(sent + unknown);
        }
      },
    ),
    { numRuns },
  );
});

test("delivers every accepted message if a duplicate is better than a loss", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(send, { minLength: 1, maxLength: 6 }),
      fc.array(fc.oneof({ arbitrary: sending, weight: 3 }, reading), { maxLength: 8 }),
      fc.constantFrom(0, 3000, 30_000),
      async (sends, faults, logDelayMs) => {
        const { groups, accepted } = await deliverAll(sends, faults, logDelayMs, { onUnknown: "resend" });
        expect(new Set(accepted.map(({ messageId }) => messageId)).size).toBe(accepted.length);
        for (const [group, { accepted: sent, mails }] of groups) expect(mails, group).toBeGreaterThanOrEqual(sent);
      },
    ),
    { numRuns },
  );
});
