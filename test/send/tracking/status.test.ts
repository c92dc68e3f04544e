import { describe, expect, test } from "vitest";
import { tracked } from "./tracked.js";

const MINUTE_MS = 60_000;

describe.each(["v4", "v3"] as const)("status, %s", (version) => {
  test("reports every recipient of the message, by either id", async () => {
    const { tracking, send } = await tracked({}, version);
    await send("bob@example.org");
    const sent = await send(["ada@example.org", "hard-bounce@example.org"], { cc: ["soft-bounce@example.org"] });
    await send("eve@example.org");
    for (const id of [sent.id, sent.messageId, sent.messageId.replace(/[<>]/g, "")]) {
      const status = await tracking.status(id);
      expect(status).toMatchObject({ id, state: "failed", messageId: sent.messageId });
      expect(Object.fromEntries(status.recipients.map(({ email, state, final }) => [email, [state, final]]))).toEqual({
        "ada@example.org": ["DELIVERED", true],
        "hard-bounce@example.org": ["HARD-BOUNCE", true],
        "soft-bounce@example.org": ["SOFT-BOUNCE", false],
      });
      expect(status.meaning).toBe("1 delivered, 1 hard-bounced (no such mailbox), 1 soft-bounced (greylisted)");
      const bounced = status.recipients.find(({ state }) => state === "HARD-BOUNCE");
      expect(bounced?.meaning).toMatch(/^accepted \d\d:\d\d, hard-bounced \d\d:\d\d \(no such mailbox\)$/);
      expect(bounced?.events).toMatchObject([
        { state: "QUEUED", code: 250, at: expect.any(Date) },
        { state: "HARD-BOUNCE", code: 550, message: "5.1.1 User unknown", meaning: "no such mailbox" },
      ]);
    }
  });

  test("is underway while a message is retried, until the server accepts it", async () => {
    const { tracking, send, service } = await tracked({}, version);
    const { id } = await send("soft-bounce@example.org");
    expect(await tracking.status(id)).toMatchObject({ state: "underway" });
    service.clock.advance(6 * MINUTE_MS);
    const { state, meaning } = await tracking.status(id);
    expect(state).toBe("delivered");
    expect(meaning).toMatch(/^accepted [^,]+, soft-bounced twice \(greylisted\), delivered [^,]+$/);
  });
});

test("is accepted, not unknown, until the log shows a message", async () => {
  const { tracking, send, service, recent, track } = await tracked();
  service.settings.set({ logDelayMs: 5000 });
  const sent = await send(["ada@example.org", "bob@example.org"]);
  // Another process only has the id, which reveals its age.
  expect(await tracking.status(sent.id)).toMatchObject({ state: "accepted", recipients: [] });
  await expect(tracking.status(sent.messageId)).rejects.toMatchObject({ code: "message_not_found" });
  recent.note(sent, { to: ["ada@example.org", "bob@example.org"] }, Date.now());
  expect(await tracking.status(sent.messageId)).toMatchObject({ state: "accepted", messageId: sent.messageId });
  service.clock.advance(5000);
  expect(await track().status(sent.messageId)).toMatchObject({ state: "delivered" });
});

test.each(["v4", "v3"] as const)("reports an unknown id, without an address, %s", async (version) => {
  const { tracking } = await tracked({}, version);
  const ids = [
    "1500000000000.0a",
    "7f2c7d0a-1111-4222-8333-444455556666",
    "ada@example.org",
    "nonsense",
    "",
    "..",
    "a/b",
  ];
  for (const id of ids) {
    const error: unknown = await tracking.status(id).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "message_not_found" });
    expect(String(error)).not.toContain("ada@");
  }
});

test("does not count the correlation copy as a recipient", async () => {
  const { tracking, send } = await tracked({ correlation: "sent" });
  const { id } = await send("ada@example.org", { bcc: ["sent+refused@example.test"] });
  expect((await tracking.status(id)).recipients.map(({ email }) => email)).toEqual(["ada@example.org"]);
});
