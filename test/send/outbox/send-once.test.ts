import { describe, expect, it, onTestFinished } from "vitest";
import {
  createMailer,
  type Mailer,
  type MailerOptions,
  type MessageOptions,
  onSendEvent,
} from "../../../src/send/index.js";
import { systemClock } from "../../../src/send/clock.js";
import { openMailStore } from "../../../src/send/store/sqlite.js";
import { type RunningService, startService } from "../../../src/service/start.js";
import { createTestClock } from "../../../src/testing/test-clock.js";
import { rejection } from "../../api/servers.js";
import { temporaryFile } from "./open.js";
import { aService, subjectsAt } from "./route.js";

const message = (key: string, differences: Partial<MessageOptions> = {}) =>
  ({ to: "ada@example.org", subject: key, text: "Hi", key, ...differences }) as MessageOptions;

/** Mailers of processes that share a store, and a service. */
async function open({ service, file = temporaryFile() }: { service?: RunningService; file?: string } = {}) {
  const running = service ?? (await aService());
  const clock = createTestClock();
  const newMailer = (options: Partial<MailerOptions<object>> = {}): Mailer<object> => {
    const { url, apiKey, domain } = running;
    const mailer = createMailer({
      url,
      apiKey,
      domain,
      from: "shop",
      store: file,
      sendsPerMinute: Number.POSITIVE_INFINITY,
      reconcile: { logDelayMs: 200 },
      outbox: { lease: "1s" },
      maxWait: 5_000,
      clock,
      ...options,
    });
    onTestFinished(() => mailer.close());
    return mailer;
  };
  /** Lets a worker take what it would send without the caller knowing. */
  const workFor = async (mailer: Mailer<object>, milliseconds: number): Promise<void> => {
    const worker = mailer.work();
    await clock.advance(milliseconds);
    await worker.idle();
    await worker.stop();
  };
  return { service: running, newMailer, subjects: () => subjectsAt(running), clock, workFor };
}

describe("send with a key", () => {
  it("sends once, and returns the same result to every call in every process", async () => {
    const { newMailer, subjects } = await open();
    const mailer = newMailer();
    const first = await mailer.sendMessage(message("a"));
    expect(first).toMatchObject({ outcome: "accepted", duplicate: false });
    expect(await mailer.sendMessage(message("a"))).toEqual({ ...first, duplicate: true });
    expect(await newMailer().sendMessage(message("a"))).toEqual({ ...first, duplicate: true });
    expect(await mailer.outbox.byKey("a")).toMatchObject({ state: "accepted", sent: { id: first.id }, attempts: 1 });
    expect(subjects()).toEqual(["a"]);
  });

  it("sends once for many concurrent calls", async () => {
    const { service, newMailer, subjects } = await open();
    service.faults.add({ kind: "delay", endpoint: "emails.send", milliseconds: 300 });
    const mailers = [newMailer(), newMailer()];
    const calls = Array.from({ length: 12 }, (_, n) => (mailers[n % 2] ?? newMailer()).sendMessage(message("a")));
    const results = await Promise.all(calls);
    expect(new Set(results.map(({ messageId }) => messageId)).size).toBe(1);
    expect(results.filter(({ duplicate }) => duplicate === false)).toHaveLength(1);
    expect(subjects()).toEqual(["a"]);
  });

  it("shares its keys with queue: one message per key", async () => {
    const { newMailer, subjects, workFor } = await open();
    const mailer = newMailer();
    await mailer.sendMessage(message("a"));
    expect(await mailer.queueMessage(message("a"))).toMatchObject({ state: "accepted", duplicate: true });
    const problems = [{ path: "key", message: expect.stringContaining("was used for a different message") }];
    const other = message("a", { text: "Something else" });
    expect(await rejection(mailer.sendMessage(other))).toMatchObject({ code: "invalid_message", problems });
    expect(await rejection(mailer.queueMessage(other))).toMatchObject({ code: "invalid_message", problems });

    await mailer.queueMessage(message("b"));
    expect(await rejection(mailer.sendMessage(message("b", { text: "Else" })))).toMatchObject({ problems });
    await workFor(mailer, 0);
    expect(await mailer.sendMessage(message("b"))).toMatchObject({ outcome: "accepted", duplicate: true });
    expect(subjects().toSorted()).toEqual(["a", "b"]);
  });

  it("waits for a worker that has the key's message, and leaves queued messages to it", async () => {
    const { newMailer, subjects, workFor } = await open();
    const mailer = newMailer();
    const { id } = await mailer.queueMessage(message("a"));
    expect(await rejection(mailer.sendMessage(message("a", { maxWait: 100 })))).toMatchObject({ code: "in_doubt", id });
    const sending = mailer.sendMessage(message("a"));
    await workFor(mailer, 1_000);
    expect(await sending).toMatchObject({ outcome: "accepted", duplicate: true });
    await mailer.queueMessage({ ...message("b"), sendAt: new Date(Date.now() + 60_000) });
    const began = performance.now();
    expect(await rejection(mailer.sendMessage(message("b", { maxWait: 40_000 })))).toMatchObject({ code: "in_doubt" });
    expect(performance.now() - began).toBeLessThan(20_000);
    expect(subjects()).toEqual(["a"]);
  });

  it("requires a store with an outbox", async () => {
    const { newMailer } = await open();
    const mailer = newMailer({ store: undefined });
    expect(await rejection(mailer.sendMessage(message("a")))).toMatchObject({
      code: "configuration",
      message: "A `key` needs a store that remembers it.",
      hint: expect.stringContaining("LETTERSHOP_STORE"),
    });
  });

  it("cleans up, even if no worker runs", async () => {
    const { newMailer, clock } = await open();
    const options = { outbox: { keepContents: 1 } };
    await newMailer(options).sendMessage(message("a"));
    const later = newMailer(options);
    await clock.advance(5);
    await later.sendMessage(message("b"));
    await expect.poll(() => later.outbox.list()).toMatchObject([{ hasContents: true }, { hasContents: false }]);
    expect(await later.sendMessage(message("a"))).toMatchObject({ duplicate: true });
  });
});

describe("send with a key that sends nothing", () => {
  const attempts: Readonly<
    Record<string, (mailer: Mailer<object>, service: RunningService) => Promise<MessageOptions>>
  > = {
    rate_limited: async (mailer) => {
      await mailer.sendMessage(message("before"));
      return message("a", { maxWait: 50 });
    },
    expired: async (mailer) => {
      await mailer.sendMessage(message("before"));
      return message("a", { expiresAfter: 50, maxWait: 120_000 });
    },
    aborted: async (mailer) => {
      await mailer.sendMessage(message("before"));
      return message("a", { signal: AbortSignal.timeout(100), maxWait: 120_000 });
    },
    rejected: async (_, service) => {
      service.faults.add({ kind: "refuse", endpoint: "emails.send", status: 403 });
      return message("a");
    },
  };

  it("is not sent by a worker later, and frees the key", async () => {
    await Promise.all(
      Object.entries(attempts).map(async ([code, prepare]) => {
        const { service, newMailer, subjects, clock } = await open();
        const mailer = newMailer({ sendsPerMinute: code === "rejected" ? Number.POSITIVE_INFINITY : 1 });
        const worker = newMailer().work();
        const attempt = await prepare(mailer, service);
        const before = subjects();
        expect(await rejection(mailer.sendMessage(attempt))).toMatchObject({ code });
        expect(await mailer.outbox.byKey("a"), code).toBeUndefined();
        await clock.advance(2_500);
        await worker.stop();
        expect(subjects(), code).toEqual(before);

        const patient = newMailer();
        expect(await patient.sendMessage(message("a", { text: "Another text" })), code).toMatchObject({
          duplicate: false,
        });
        expect(subjects(), code).toHaveLength(before.length + 1);
      }),
    );
  });

  it("is sent by the next call if the service was unreachable", async () => {
    const first = await aService();
    const { port } = new URL(first.url);
    const { newMailer } = await open({ service: first });
    await first.close();
    const mailer = newMailer({ maxWait: 300 });
    expect(await rejection(mailer.sendMessage(message("a")))).toMatchObject({ code: "unreachable" });
    expect(await mailer.outbox.list()).toEqual([]);
    const again = await startService({ data: ":memory:", port: Number(port), limits: false });
    onTestFinished(() => again.close());
    expect(await mailer.sendMessage(message("a", { maxWait: 10_000 }))).toMatchObject({ duplicate: false });
    expect(subjectsAt(again)).toEqual(["a"]);
  });

  it("is sent by the next call if closing the mailer aborted it", async () => {
    const { newMailer, subjects } = await open();
    const mailer = newMailer({ sendsPerMinute: 1 });
    await mailer.sendMessage(message("before"));
    const sending = rejection(mailer.sendMessage(message("a", { maxWait: 120_000 })));
    await expect.poll(() => mailer.outbox.byKey("a")).toMatchObject({ state: "sending" });
    await mailer.close();
    expect(await sending).toMatchObject({ code: "aborted" });
    expect(await newMailer().sendMessage(message("a"))).toMatchObject({ duplicate: false });
    expect(subjects().toSorted()).toEqual(["a", "before"]);
  });

  it("is sent by a worker if it was queued meanwhile", async () => {
    const { newMailer, subjects, workFor } = await open();
    const mailer = newMailer({ sendsPerMinute: 1 });
    await mailer.sendMessage(message("before"));
    const giveUp = new AbortController();
    const sending = rejection(mailer.sendMessage(message("a", { signal: giveUp.signal, maxWait: 120_000 })));
    await expect.poll(() => mailer.outbox.byKey("a")).toMatchObject({ state: "sending", direct: true });
    expect(await mailer.queueMessage(message("a"))).toMatchObject({ state: "sending", duplicate: true });
    giveUp.abort();
    expect(await sending).toMatchObject({ code: "aborted" });
    expect(await mailer.outbox.byKey("a")).toMatchObject({ state: "queued", attempts: 0 });
    await workFor(newMailer(), 0);
    expect(subjects().toSorted()).toEqual(["a", "before"]);
  });

  it.each(["rejected", "expired"] as const)("sends a queued message that is %s", async (state) => {
    const file = temporaryFile();
    const { service, newMailer, subjects, workFor } = await open({ file });
    const mailer = newMailer();
    const { id } = await mailer.queueMessage(message("a"));
    const store = await openMailStore(file, systemClock);
    onTestFinished(() => store.close());
    const change = (dropContents: boolean) =>
      store.outbox.change(id, { states: ["queued", state] }, { state, reason: "as it was", dropContents });
    await change(false);
    service.faults.add({ kind: "refuse", endpoint: "emails.send", status: 403 });
    expect(await rejection(mailer.sendMessage(message("a")))).toMatchObject({ code: "rejected" });
    expect(await mailer.outbox.byKey("a")).toMatchObject({ state, reason: "as it was" });
    await workFor(newMailer(), 1_200);
    expect(subjects()).toEqual([]);
    // Without its contents, it is a new message.
    await change(true);
    expect(await mailer.sendMessage(message("a"))).toMatchObject({ duplicate: false });
    expect(subjects()).toEqual(["a"]);
  });

  it("refuses a message that was discarded", async () => {
    const { newMailer, subjects } = await open();
    const mailer = newMailer();
    const { id } = await mailer.queueMessage(message("a"));
    await mailer.outbox.discard(id);
    expect(await rejection(mailer.sendMessage(message("a")))).toMatchObject({
      code: "invalid_message",
      problems: [{ path: "key", message: "was used for a message that was discarded" }],
    });
    expect(subjects()).toEqual([]);
  });
});

describe("send with a key and an unknown outcome", () => {
  it("is looked up and found by the next call", async () => {
    const { service, newMailer, subjects } = await open();
    service.settings.set({ logDelayMs: 60_000 });
    service.faults.add({ kind: "cut", endpoint: "emails.send", when: "after" });
    const mailer = newMailer({ reconcile: { logDelayMs: 60_000 } });
    expect(await rejection(mailer.sendMessage(message("a", { maxWait: 100 })))).toMatchObject({
      code: "unknown_outcome",
    });
    expect(await rejection(mailer.sendMessage(message("a", { maxWait: 100 })))).toMatchObject({ code: "in_doubt" });
    service.clock.advance(60_000);
    expect(await mailer.sendMessage(message("a"))).toMatchObject({ outcome: "accepted", duplicate: true });
    expect(subjects()).toEqual(["a"]);
  });

  it("stays unknown if the log does not have it, unless a duplicate is better than a loss", async () => {
    const { service, newMailer, subjects, workFor } = await open();
    service.faults.add({ kind: "cut", endpoint: "emails.send", when: "before" });
    const mailer = newMailer();
    for (const _ of [1, 2, 3])
      expect(await rejection(mailer.sendMessage(message("a")))).toMatchObject({ code: "unknown_outcome" });
    expect(await mailer.outbox.byKey("a")).toMatchObject({ state: "parked" });
    await workFor(newMailer(), 1_500);
    expect(subjects()).toEqual([]);
    const resent = await mailer.sendMessage(message("a", { onUnknown: "resend" }));
    expect(resent).toMatchObject({ duplicate: false });
    expect(await mailer.sendMessage(message("a"))).toEqual({ ...resent, duplicate: true });
    expect(subjects()).toEqual(["a"]);
  });

  it("does not postpone the lookup for each call that ends early", async () => {
    const { service, newMailer } = await open();
    service.faults.add({ kind: "cut", endpoint: "emails.send", when: "before" });
    const mailer = newMailer({ reconcile: { logDelayMs: 500 } });
    const codes: unknown[] = [];
    for (let call = 0; call < 30 && !codes.slice(1).includes("unknown_outcome"); call += 1)
      codes.push(((await rejection(mailer.sendMessage(message("a", { maxWait: 100 })))) as { code: string }).code);
    expect(codes.slice(1, -1).every((code) => code === "in_doubt")).toBe(true);
    expect(codes.at(-1)).toBe("unknown_outcome");
  });

  it("can be aborted during its request, and is found by the next call", async () => {
    const { service, newMailer, subjects } = await open();
    service.faults.add({ kind: "delay", endpoint: "emails.send", milliseconds: 1_000 });
    const mailer = newMailer();
    const giveUp = new AbortController();
    const sending = rejection(mailer.sendMessage(message("a", { signal: giveUp.signal })));
    await expect.poll(() => service.faults.list()).toEqual([]);
    giveUp.abort();
    expect(await sending).toMatchObject({ code: "unknown_outcome" });
    await expect.poll(subjects).toEqual(["a"]);
    expect(await mailer.sendMessage(message("a"))).toMatchObject({ duplicate: true });
    expect(subjects()).toEqual(["a"]);
  });
});

describe("send with a key and a failing store", () => {
  /** A mailer with a file, whose outbox fails as soon as one of its methods is named. */
  async function openFailing() {
    const file = temporaryFile();
    const { newMailer, ...rest } = await open({ file });
    const store = await openMailStore(file, rest.clock);
    onTestFinished(() => store.close());
    const failing = new Set<string>();
    const outbox = new Proxy(store.outbox, {
      get(target, method) {
        const value: unknown = Reflect.get(target, method);
        if (typeof value !== "function") return value;
        return async (...args: unknown[]): Promise<unknown> => {
          if (failing.has(String(method))) throw new Error("The connection to the database is closed.");
          return Reflect.apply(value, target, args);
        };
      },
    });
    const options = { store: { ...store, outbox } };
    return { ...rest, failing, newMailer: (more = {}) => newMailer({ ...options, ...more }) };
  }

  it.each(["add", "keepAlive"])("sends nothing if %s fails, and the next call sends", async (method) => {
    const { newMailer, failing, subjects } = await openFailing();
    const mailer = newMailer();
    failing.add(method);
    expect(await rejection(mailer.sendMessage(message("a")))).toMatchObject({ code: "store" });
    expect(subjects()).toEqual([]);
    failing.clear();
    expect(await mailer.sendMessage(message("a"))).toMatchObject({ duplicate: false });
    expect(subjects()).toEqual(["a"]);
  });

  it("keeps an accepted message sent although that could not be recorded, and finds it in the next call", async () => {
    const { newMailer, failing, subjects, clock } = await openFailing();
    const mailer = newMailer();
    const failures: string[] = [];
    onTestFinished(onSendEvent((event) => event.type === "store-failed" && failures.push(event.reason)));
    failing.add("change");
    const sent = await mailer.sendMessage(message("a"));
    expect(sent).toMatchObject({ outcome: "accepted", duplicate: false });
    expect(failures).toHaveLength(1);
    failing.clear();
    await clock.advance(1_000);
    expect(await mailer.sendMessage(message("a"))).toEqual({ ...sent, duplicate: true });
    expect(subjects()).toEqual(["a"]);
  });

  it("is not sent by a worker either if the message could not be deleted", async () => {
    const { newMailer, failing, subjects, workFor } = await openFailing();
    const mailer = newMailer({ sendsPerMinute: 1 });
    await mailer.sendMessage(message("before"));
    failing.add("remove");
    expect(await rejection(mailer.sendMessage(message("a", { maxWait: 50 })))).toMatchObject({ code: "rate_limited" });
    failing.clear();
    expect(await mailer.outbox.byKey("a")).toMatchObject({ state: "sending" });
    await workFor(newMailer(), 3_000);
    expect(await mailer.outbox.byKey("a")).toBeUndefined();
    expect(subjects()).toEqual(["before"]);
  });
});
