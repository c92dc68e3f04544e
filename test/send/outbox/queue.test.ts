import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Base64Content } from "../../../src/api/calls/http.js";
import { InvalidMessageError } from "../../../src/send/errors.js";
import { contentHash } from "../../../src/send/outbox/context.js";
import { targetOf } from "../../../src/send/parcel.js";
import { temporaryFile } from "./open.js";
import { mail, openOutbox } from "./outbox.js";

async function problemsOf(attempt: Promise<unknown>): Promise<readonly string[]> {
  const error = await attempt.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof InvalidMessageError)) throw new Error("It was queued.", { cause: error });
  return error.problems.map(({ path, message }) => `${path}: ${message}`);
}

describe("queueing", () => {
  it("stores exactly what will be sent, visible to other processes", async () => {
    const file = temporaryFile();
    const { outbox, clock, events } = await openOutbox({ file });
    const later = clock.time() + 60_000;
    const { id, ...queued } = await outbox.queue(
      mail({ key: "order 1", priority: "high", onUnknown: "resend", sendAt: later, expiresAt: later + 1 }),
    );
    expect(queued).toEqual({ key: "order 1", state: "queued", duplicate: false });
    const { outbox: other } = await openOutbox({ file });
    expect(await other.get(id)).toEqual({
      id,
      target: "https://api.example.com example.com",
      key: "order 1",
      state: "queued",
      template: "receipt",
      priority: "high",
      onUnknown: "resend",
      queuedAt: clock.time(),
      sendAt: later,
      expiresAt: later + 1,
      attempts: 0,
      changedAt: clock.time(),
      hasContents: true,
      email: mail().email,
    });
    expect(await other.byKey("order 1")).toMatchObject({ id });
    expect((await other.list({ recipient: "ada@EXAMPLE.com" })).map((message) => message.id)).toEqual([id]);
    expect(events).toEqual([{ type: "queued", id, template: "receipt", priority: "high" }]);
  });

  it("returns the first call's outcome for a second call with the same key", async () => {
    const { outbox, store } = await openOutbox();
    const first = await outbox.queue(mail({ key: "order 1" }));
    expect(await outbox.queue(mail({ key: "order 1" }))).toEqual({ ...first, duplicate: true });
    const sent = { outcome: "accepted", id: "log-1", messageId: "<1@example.com>" } as const;
    await store.change(first.id, { states: ["queued"] }, { state: "accepted", sent });
    expect(await outbox.queue(mail({ key: "order 1" }))).toEqual({
      ...first,
      state: "accepted",
      duplicate: true,
      sent,
    });
    expect((await outbox.stats()).counts).toMatchObject({ accepted: 1, queued: 0 });
  });

  it("refuses a key that was used for something else", async () => {
    const { outbox } = await openOutbox();
    await outbox.queue(mail({ key: "order 1" }));
    const other = { ...mail().email, variables: { total: "13.00" } };
    expect(await problemsOf(outbox.queue(mail({ key: "order 1", email: other })))).toEqual([
      "key: was used for a different message before. Use one key per message, and repeat a call with the same variables",
    ]);
    expect(await outbox.queue(mail({ key: "order 2", email: other }))).toMatchObject({ duplicate: false });
  });

  it("compares the caller's arguments, if passed, instead of the email", async () => {
    const { outbox } = await openOutbox();
    const args = { template: "receipt", variables: { total: 12 } };
    await outbox.queue(mail({ key: "order 1", args }));
    const afterDeploy = { from: "shop", to: "ada@example.com", subject: "New words", html: "<p>New words</p>" };
    expect(await outbox.queue(mail({ key: "order 1", args, email: afterDeploy }))).toMatchObject({ duplicate: true });
  });

  it("separates environments, including their keys", async () => {
    const file = temporaryFile();
    const { outbox: live } = await openOutbox({ file });
    const { outbox: staging } = await openOutbox({ file, url: "https://staging.example.com" });
    const { id } = await live.queue(mail({ key: "order 1" }));
    expect(await staging.get(id)).toBeUndefined();
    expect(await staging.list()).toEqual([]);
    expect(await staging.stats()).toMatchObject({ due: 0, elsewhere: 1 });
    expect(await staging.queue(mail({ key: "order 1" }))).toMatchObject({ duplicate: false });
    expect((await staging.discard(id)).skipped).toEqual([{ id, reason: "there is no such message" }]);
  });
});

describe("a content's hash", () => {
  it("is the same for the same JSON in any order, and differs otherwise", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        const hash = (value: unknown) => contentHash(value, "key");
        expect(hash(JSON.parse(JSON.stringify(reversed(a))))).toBe(hash(a));
        expect(hash(a) === hash(b)).toBe(JSON.stringify(sorted(a)) === JSON.stringify(sorted(b)));
      }),
    );
  });

  it("distinguishes files, and depends on the key", () => {
    const file = (byte: number) => ({ content: new Base64Content(Uint8Array.of(1, 2, byte)) });
    expect(contentHash(file(3), "key")).toBe(contentHash(file(3), "key"));
    expect(contentHash(file(3), "key")).not.toBe(contentHash(file(4), "key"));
    expect(contentHash(file(3), "key")).not.toBe(contentHash(file(3), "another"));
  });
});

describe("a target", () => {
  it("is the service's URL and the domain, however they are written", () => {
    expect(targetOf("https://API.example.com:443/mail/", "Example.com")).toBe(
      "https://api.example.com/mail example.com",
    );
    expect(targetOf("http://127.0.0.1:4680", "example.test")).toBe("http://127.0.0.1:4680 example.test");
  });
});

function reversed(value: unknown): unknown {
  return mapped(value, (entries) => entries.toReversed());
}

function sorted(value: unknown): unknown {
  return mapped(value, (entries) => entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

type Entries = [string, unknown][];

function mapped(value: unknown, order: (entries: Entries) => Entries): unknown {
  if (Array.isArray(value)) return value.map((entry) => mapped(entry, order));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(order(Object.entries(value)).map(([name, field]) => [name, mapped(field, order)]));
}
