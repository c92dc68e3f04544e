import { describe, expect, test } from "vitest";
import { memoryStore } from "../../../src/send/store/memory.js";
import { systemClock } from "../../../src/send/clock.js";
import { answerJson, serve } from "../../api/servers.js";
import { DrivenClock, watchRequests } from "../delivery/harness.js";
import { tracked } from "./tracked.js";

const MINUTE_MS = 60_000;

describe.each(["v4", "v3"] as const)("waitFor, %s", (version) => {
  test("resolves when all recipients have it, or when the first one does", async () => {
    const { tracking, send, service } = await tracked({}, version);
    const sent = await send(["ada@example.org", "soft-bounce@example.org"]);
    await expect(tracking.waitFor(sent.id, "DELIVERED", { recipients: "any" })).resolves.toMatchObject({
      state: "underway",
    });
    const waiting = tracking.waitFor(sent.id, "DELIVERED");
    service.clock.advance(6 * MINUTE_MS);
    expect((await waiting).recipients.map(({ state }) => state)).toEqual(["DELIVERED", "DELIVERED"]);
  });

  test.each(["hard-bounce", "bounced", "refused"])("rejects a message that ends as %s", async (end) => {
    const { tracking, send } = await tracked({}, version);
    const { id } = await send(["ada@example.org", `${end}@example.org`]);
    const error: unknown = await tracking.waitFor(id, "DELIVERED").catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "not_delivered", status: { id, state: "failed" } });
    expect(String(error)).toMatch(/will not be delivered: 1 delivered, 1 .+ \(.+\)\.$/);
    expect(String(error)).not.toContain("@");
  });
});

test("waits out the log's delay, for each recipient", async () => {
  const clock = drivenClock();
  const { tracking, send, service, recent } = await tracked({ clock });
  service.settings.set({ logDelayMs: 10_000 });
  const sent = await send("ada@example.org");
  recent.note(sent, { to: ["ada@example.org"] }, clock.time());
  let done = false;
  const waiting = tracking.waitFor(sent.id, "DELIVERED").finally(() => (done = true));
  await clock.advance(2000);
  expect(done).toBe(false);
  service.clock.advance(10_000);
  await passUntil(clock, () => done);
  expect(await waiting).toMatchObject({ state: "delivered" });
});

test("gives up after the timeout, and reports the latest status", async () => {
  const clock = drivenClock();
  const { tracking, send } = await tracked({ clock });
  const { id } = await send("soft-bounce@example.org");
  let failure: unknown;
  void tracking.waitFor(id, "DELIVERED", { timeoutMs: 20_000 }).catch((error: unknown) => (failure = error));
  await passUntil(clock, () => failure !== undefined);
  expect(clock.now()).toBeGreaterThanOrEqual(20_000);
  expect(failure).toMatchObject({ code: "delivery_timeout", status: { state: "underway" } });
  expect(String(failure)).toMatch(/was not delivered within 20 s: accepted .*soft-bounced .*\(greylisted\)\.$/);
});

test("gives an unknown id the log's delay to appear", async () => {
  const clock = drivenClock();
  const { tracking } = await tracked({ clock });
  let failure: unknown;
  void tracking.waitFor("1500000000000.0a", "DELIVERED").catch((error: unknown) => (failure = error));
  await passUntil(clock, () => failure !== undefined);
  expect(failure).toMatchObject({ code: "message_not_found" });
  expect(clock.now()).toBeGreaterThanOrEqual(60_000);
});

test("refuses an unknown status at once", async () => {
  const { tracking } = await tracked();
  await expect(tracking.waitFor("1.a", "DELIVRED" as "DELIVERED")).rejects.toMatchObject({
    code: "configuration",
    hint: expect.stringContaining("DELIVERED"),
  });
});

test("ends with the reason of a signal or of closing", async () => {
  const { tracking, send } = await tracked();
  const { id } = await send("soft-bounce@example.org");
  const reason = new Error("enough");
  const controller = new AbortController();
  const waiting = tracking.waitFor(id, "DELIVERED", { signal: controller.signal });
  controller.abort(reason);
  await expect(waiting).rejects.toBe(reason);
});

test("polls less and less, within half of the log's limit in total, and outlasts a failing log", async () => {
  const clock = drivenClock();
  let failing = false;
  const { url, seen } = await serve((_, response) => {
    if (failing) return answerJson(response, 500, { message: "no", errors: {} });
    response.setHeader("x-ratelimit-limit", "30").setHeader("x-ratelimit-remaining", "29");
    return answerJson(response, 404, { message: "no such log", errors: {} });
  });
  const store = memoryStore(systemClock);
  const { track, recent } = await tracked({ clock, store: async () => store });
  const tracking = track({
    environment: {
      name: "test",
      url,
      apiKey: "key",
      domain: "example.com",
      version: "v4",
      namePrefix: "",
      nameSuffix: "",
    },
  });
  const failures: unknown[] = [];
  for (let count = 0; count < 8; count += 1) {
    const sent = { outcome: "accepted", id: `1.${count}`, messageId: `<${count}@example.com>` } as const;
    recent.note(sent, { to: ["ada@example.org"] }, clock.time());
    void tracking
      .waitFor(sent.id, "DELIVERED", { timeoutMs: 5 * MINUTE_MS })
      .catch((error: unknown) => failures.push(error));
  }
  for (let second = 0; second < 300; second += 5) {
    failing = second > 60 && second < 120;
    await clock.advance(5000);
  }
  await passUntil(clock, () => failures.length === 8);
  expect(failures).toMatchObject(Array.from({ length: 8 }, () => ({ code: "delivery_timeout" })));
  // 15 a minute; the client retries failed reads.
  expect(seen.length).toBeLessThanOrEqual(6 * 15 + 2 * 15 * 2);
  expect(seen.length).toBeGreaterThan(40);
});

/** Time that stands still while an answer is pending. */
function drivenClock(): DrivenClock {
  watchRequests();
  return new DrivenClock();
}

/** Lets time pass until a condition is met. */
async function passUntil(clock: DrivenClock, isSo: () => boolean): Promise<void> {
  for (let steps = 0; steps < 2000 && !isSo(); steps += 1) await clock.advance(250);
}
