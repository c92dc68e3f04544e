import assert from "node:assert/strict";
import { Base64Content } from "../../api/calls/http.js";
import type { NewMessage, OutboxStore } from "../../send/store/outbox.js";
import type { StoreCases } from "./index.js";

export const TARGET = "https://api.example.com example.com";
export const HOUR_MS = 3_600_000;
const SENT = { outcome: "accepted", id: "log-1", messageId: "<1@example.com>" } as const;

let last = 0;

export function message(differences: Partial<NewMessage> = {}): NewMessage {
  last += 1;
  return {
    id: `message-${last}`,
    target: TARGET,
    priority: "normal",
    onUnknown: "park",
    recipients: ["ada@example.com"],
    email: { from: "shop", to: "ada@example.com", subject: "Hi", text: "Hi" },
    ...differences,
  };
}

function key(text: string, contents = "contents"): NonNullable<NewMessage["key"]> {
  return { text, hash: `hash of ${text}`, contents };
}

function lease(id: string, forMs = 15_000) {
  return { id, forMs };
}

const normal = (id: string, forMs?: number) =>
  ({ target: TARGET, priority: "normal", lease: lease(id, forMs) }) as const;

/** Ends leases, as if their time were over. */
const letExpire = (store: OutboxStore, ...leases: string[]) => store.keepAlive(leases, 0);

/** The requirements for an outbox's store. */
export const outboxCases: StoreCases<OutboxStore> = {
  "returns what was added": async (store) => {
    const sendAt = Math.round(Date.now()) + HOUR_MS;
    const expires = { at: sendAt + 5 };
    const added = await store.add(message({ id: "a", key: key("order 1"), template: "receipt", sendAt, expires }));
    const { queuedAt, changedAt } = added.message;
    assert.deepEqual(added.message, {
      id: "a",
      target: TARGET,
      key: "order 1",
      state: "queued",
      template: "receipt",
      priority: "normal",
      onUnknown: "park",
      queuedAt,
      sendAt,
      expiresAt: sendAt + 5,
      attempts: 0,
      changedAt,
      hasContents: true,
    });
    assert.deepEqual([added.added, added.sameContents, queuedAt], [true, true, changedAt]);
    assert.ok(added.dueInMs > HOUR_MS / 2 && added.dueInMs < 2 * HOUR_MS, "it says when it is due");
    const { email } = message();
    assert.deepEqual(await store.get(TARGET, "a"), { ...added.message, email });
    assert.deepEqual(await store.byKey(TARGET, "hash of order 1"), { ...added.message, email });
    assert.equal(await store.get("https://other.example.com example.com", "a"), undefined);
  },

  "makes a message due at once, whatever its date in the past": async (store) => {
    const { message: added, dueInMs } = await store.add(message({ sendAt: 1 }));
    assert.deepEqual([added.sendAt, dueInMs], [added.queuedAt, 0]);
  },

  "keeps files, as bytes or as base64": async (store) => {
    const bytes = Uint8Array.from({ length: 1_000_000 }, (_, index) => index % 251);
    const files = [
      { filename: "a.bin", content: new Base64Content(bytes), content_id: "a" },
      { filename: "b.txt", content: Buffer.from("Hi").toString("base64") },
      { filename: "c.txt", content: new Base64Content(new Uint8Array()) },
    ];
    await store.add(message({ id: "a", email: { from: "shop", to: ["ada@example.com"], attachments: files } }));
    const taken = await store.take(normal("lease"));
    assert.deepEqual(JSON.parse(JSON.stringify(taken?.email)), {
      from: "shop",
      to: ["ada@example.com"],
      attachments: JSON.parse(JSON.stringify(files)),
    });
  },

  "keeps one message for a key of a target": async (store) => {
    await store.add(message({ id: "a", key: key("k") }));
    const again = await store.add(message({ id: "b", key: key("k") }));
    assert.deepEqual([again.message.id, again.added, again.sameContents], ["a", false, true]);
    const other = await store.add(message({ id: "c", key: key("k", "something else") }));
    assert.deepEqual([other.message.id, other.added, other.sameContents], ["a", false, false]);
    const elsewhere = await store.add(message({ id: "d", target: "https://other.example.com d", key: key("k") }));
    assert.equal(elsewhere.added, true);
    assert.equal(await store.get(TARGET, "b"), undefined);
  },

  "keeps one of many messages that are added with the same key at once": async (store) => {
    const all = await Promise.all(Array.from({ length: 20 }, () => store.add(message({ key: key("k") }))));
    assert.equal(all.filter(({ added }) => added).length, 1);
    assert.equal(new Set(all.map((each) => each.message.id)).size, 1);
  },

  "takes messages of one priority and target, longest due first, each once": async (store) => {
    await store.add(message({ id: "later", sendAt: Date.now() + HOUR_MS }));
    await store.add(message({ id: "second" }));
    await store.add(message({ id: "third" }));
    await store.add(message({ id: "first" }));
    await store.change("first", { states: ["queued"] }, { state: "queued", dueInMs: -HOUR_MS });
    await store.add(message({ id: "code", priority: "high" }));
    await store.add(message({ id: "elsewhere", target: "https://other.example.com example.com" }));
    assert.equal(await store.nextDue(TARGET, "normal"), 0);
    const taken = [];
    for (let turn = 0; turn < 4; turn += 1) taken.push((await store.take(normal(`lease-${turn}`)))?.id);
    assert.deepEqual(taken, ["first", "second", "third", undefined]);
    const { state, attempts } = (await store.get(TARGET, "first")) ?? {};
    assert.deepEqual([state, attempts], ["sending", 1]);
    const dueInMs = (await store.nextDue(TARGET, "normal")) ?? 0;
    assert.ok(dueInMs > HOUR_MS / 2 && dueInMs < 2 * HOUR_MS, "it says when the next is due");
    assert.equal((await store.take({ ...normal("lease"), priority: "high" }))?.id, "code");
    assert.equal(await store.nextDue(TARGET, "high"), undefined);
  },

  "accepts durations and dates with fractions of milliseconds": async (store) => {
    await store.add(message({ id: "a", sendAt: 1.5, expires: { inMs: HOUR_MS + 0.5 } }));
    assert.equal((await store.take(normal("lease", 5_000.25)))?.id, "a");
    assert.deepEqual(await store.keepAlive(["lease"], 10_000.75), ["lease"]);
    assert.equal(await store.change("a", { states: ["sending"] }, { state: "queued", dueInMs: 1_000.5 }), true);
  },

  "gives a message to one of many concurrent takers": async (store) => {
    await store.add(message());
    const taken = await Promise.all(Array.from({ length: 10 }, (_, index) => store.take(normal(`lease-${index}`))));
    assert.equal(taken.filter(Boolean).length, 1);
  },

  "takes abandoned messages, but not those that are kept alive": async (store) => {
    await store.add(message({ id: "a" }));
    await store.add(message({ id: "b" }));
    await store.take(normal("lease-a"));
    await store.take(normal("lease-b"));
    assert.equal(await store.takeAbandoned(normal("early")), undefined);
    await letExpire(store, "lease-a", "lease-b");
    assert.deepEqual(await store.keepAlive(["lease-b", "unknown"], 20_000), ["lease-b"]);
    const taken = await store.takeAbandoned(normal("new"));
    assert.deepEqual([taken?.id, taken?.state, taken?.email.subject], ["a", "sending", "Hi"]);
    assert.equal(await store.takeAbandoned(normal("another")), undefined);
    assert.deepEqual(await store.keepAlive(["lease-a", "new"], 20_000), ["new"]);
  },

  "changes a message only with its lease and in the expected state": async (store) => {
    await store.add(message({ id: "a" }));
    await store.take(normal("mine"));
    const accepted = { state: "accepted", sent: SENT } as const;
    assert.equal(await store.change("a", { states: ["sending"], lease: "other" }, accepted), false);
    assert.equal(await store.change("a", { states: ["queued", "parked"] }, accepted), false);
    assert.equal(await store.change("unknown", { states: ["sending"] }, accepted), false);
    assert.equal(await store.change("a", { states: ["queued", "sending"], lease: "mine" }, accepted), true);
    const { state, sent } = (await store.get(TARGET, "a")) ?? {};
    assert.deepEqual([state, sent], ["accepted", SENT]);
    assert.deepEqual(await store.keepAlive(["mine"], 15_000), []);
  },

  "reserves a message for the call that adds it with a lease, until it is queued": async (store) => {
    const direct = { ...message({ id: "a", key: key("k") }), lease: lease("call") };
    const added = await store.add(direct);
    const { state, attempts, direct: isDirect } = added.message;
    assert.deepEqual([added.added, state, attempts, isDirect], [true, "sending", 1, true]);
    assert.deepEqual((await store.get(TARGET, "a"))?.direct, true);
    assert.equal(await store.take(normal("worker")), undefined);
    assert.equal(await store.nextDue(TARGET, "normal"), undefined);
    assert.deepEqual(await store.keepAlive(["call"], 20_000), ["call"]);
    const again = await store.add({ ...message({ key: key("k") }), lease: lease("another") });
    assert.deepEqual([again.added, again.message.id, again.message.direct], [false, "a", true]);
    const other = await store.add(message({ key: key("k", "something else") }));
    assert.deepEqual([other.sameContents, other.message.direct], [false, true]);
    await letExpire(store, "call");
    const abandoned = await store.takeAbandoned(normal("keeper"));
    assert.equal(abandoned?.direct, true);

    const queued = await store.add(message({ key: key("k") }));
    assert.deepEqual([queued.added, queued.message.state, queued.message.direct], [false, "sending", undefined]);
    assert.deepEqual((await store.get(TARGET, "a"))?.direct, undefined);
    assert.equal(await store.remove("a", { states: ["sending"], lease: "keeper", direct: true }), false);
    assert.equal(await store.remove("a", { states: ["sending"], lease: "keeper", direct: false }), true);
  },

  "makes a message no longer direct once its state has changed": async (store) => {
    await store.add({ ...message({ id: "a" }), lease: lease("call") });
    const change = { state: "parked" } as const;
    assert.equal(await store.change("a", { states: ["sending"], lease: "call", direct: true }, change), true);
    assert.equal((await store.get(TARGET, "a"))?.direct, undefined);
    assert.equal(await store.change("a", { states: ["parked"], direct: true }, { state: "queued" }), false);
  },

  "takes a message over by its id, and returns its previous state": async (store) => {
    for (const id of ["parked", "queued", "held", "accepted"]) await store.add(message({ id }));
    await store.change("parked", { states: ["queued"] }, { state: "parked", reason: "no answer" });
    await store.change("accepted", { states: ["queued"] }, { state: "accepted", sent: SENT });
    await store.change("queued", { states: ["queued"] }, { state: "queued", dueInMs: HOUR_MS });
    assert.equal((await store.take(normal("worker")))?.id, "held");
    const takeOver = (id: string) =>
      store.takeOver(id, { target: TARGET, lease: lease(`call ${id}`), states: ["parked"] });
    const taken = await takeOver("parked");
    assert.deepEqual([taken?.state, taken?.reason, taken?.email.subject], ["parked", "no answer", "Hi"]);
    const { state, attempts } = (await store.get(TARGET, "parked")) ?? {};
    assert.deepEqual([state, attempts], ["sending", 1]);
    assert.deepEqual(await store.keepAlive(["call parked"], 15_000), ["call parked"]);
    for (const id of ["parked", "queued", "held", "accepted", "unknown"])
      assert.equal(await takeOver(id), undefined, `${id} is not taken over`);
    await letExpire(store, "worker");
    const elsewhere = { target: "https://other.example.com x", lease: lease("elsewhere") };
    assert.equal(await store.takeOver("held", { ...elsewhere, states: ["parked"] }), undefined);
    assert.deepEqual((await takeOver("held"))?.state, "sending");
    assert.deepEqual(await store.keepAlive(["worker", "call held"], 15_000), ["call held"]);
  },

  "does not take over a message without contents": async (store) => {
    await store.add(message({ id: "a" }));
    await store.change("a", { states: ["queued"] }, { state: "parked", dropContents: true });
    const options = { target: TARGET, lease: lease("call") };
    assert.equal(await store.takeOver("a", { ...options, states: ["parked"] }), undefined);
    assert.equal((await store.get(TARGET, "a"))?.state, "parked");
  },

  "removes a message with its key only in the expected state": async (store) => {
    await store.add({ ...message({ id: "a", key: key("k") }), lease: lease("call") });
    assert.equal(await store.remove("a", { states: ["queued"] }), false);
    assert.equal(await store.remove("a", { states: ["sending"], lease: "another" }), false);
    assert.equal(await store.remove("a", { states: ["sending"], direct: false }), false);
    assert.equal(await store.remove("unknown", { states: ["sending"] }), false);
    assert.equal(await store.remove("a", { states: ["sending"], lease: "call", direct: true }), true);
    assert.equal(await store.get(TARGET, "a"), undefined);
    const again = await store.add(message({ id: "b", key: key("k", "something else") }));
    assert.deepEqual([again.added, (await store.take(normal("worker")))?.id], [true, "b"]);
  },

  "puts a message back for later, counting the attempt or not": async (store) => {
    await store.add(message({ id: "a" }));
    await store.take(normal("first"));
    const back = { state: "queued", reason: "unreachable" } as const;
    await store.change("a", { states: ["sending"], lease: "first" }, { ...back, dueInMs: HOUR_MS });
    assert.equal(await store.take(normal("early")), undefined);
    await store.change("a", { states: ["queued"] }, { ...back, dueInMs: 0 });
    const again = await store.take(normal("second"));
    assert.deepEqual([again?.attempts, again?.reason], [2, "unreachable"]);
    await store.change("a", { states: ["sending"] }, { state: "queued", uncounted: true });
    const { attempts, reason, sendAt } = (await store.get(TARGET, "a")) ?? {};
    assert.deepEqual([attempts, reason, sendAt], [1, undefined, again?.sendAt]);
  },

  "removes an expiry if it is over and a change says so": async (store) => {
    const ids = { over: -1, later: HOUR_MS };
    for (const [id, inMs] of Object.entries(ids)) {
      await store.add(message({ id, expires: { inMs } }));
      await store.change(id, { states: ["queued"] }, { state: "queued", ignoreExpiry: true });
    }
    assert.equal((await store.get(TARGET, "over"))?.expiresAt, undefined);
    assert.notEqual((await store.get(TARGET, "later"))?.expiresAt, undefined);
  },

  "expires queued messages whose time is over, and never takes them": async (store) => {
    await store.add(message({ id: "under way", expires: { inMs: HOUR_MS } }));
    const taken = await store.take(normal("lease"));
    assert.ok(taken?.expiresInMs !== undefined && taken.expiresInMs > HOUR_MS / 2 && taken.expiresInMs <= HOUR_MS);
    await store.add(message({ id: "over", expires: { inMs: 0 } }));
    await store.add(message({ id: "long over", expires: { at: 1 } }));
    await store.add(message({ id: "later", expires: { inMs: HOUR_MS } }));
    assert.equal((await store.take(normal("lease-2")))?.id, "later");
    const expired = await store.expire(TARGET);
    assert.deepEqual(expired.map(({ id, state }) => `${id}: ${state}`).toSorted(), [
      "long over: expired",
      "over: expired",
    ]);
    assert.deepEqual(await store.expire(TARGET), []);
  },

  "lists the newest first, by every field of a filter": async (store) => {
    await store.add(message({ id: "a", template: "receipt" }));
    await store.add(message({ id: "b", template: "code", recipients: ["bob@example.com", "eve@example.com"] }));
    await store.add(message({ id: "c", template: "receipt" }));
    await store.take(normal("lease"));
    await store.change("a", { states: ["sending"] }, { state: "accepted", sent: SENT });
    const ids = async (filter: Parameters<OutboxStore["list"]>[1]) =>
      (await store.list(TARGET, filter)).map(({ id }) => id);
    assert.deepEqual(await ids({}), ["c", "b", "a"]);
    assert.deepEqual(await ids({ limit: 1 }), ["c"]);
    assert.deepEqual(await ids({ after: "c", limit: 1 }), ["b"]);
    assert.deepEqual(await ids({ state: "queued" }), ["c", "b"]);
    assert.deepEqual(await ids({ state: ["accepted", "parked"] }), ["a"]);
    assert.deepEqual(await ids({ template: "receipt" }), ["c", "a"]);
    const { queuedAt = 0 } = (await store.get(TARGET, "b")) ?? {};
    assert.deepEqual(
      (await ids({ since: queuedAt })).filter((id) => id !== "a"),
      ["c", "b"],
    );
    assert.deepEqual(await ids({ since: queuedAt + HOUR_MS }), []);
    assert.deepEqual(await ids({ recipient: "EVE@example.com" }), ["b"]);
    assert.deepEqual(await ids({ recipient: "ve@example.com" }), []);
    assert.deepEqual(await ids({ sentId: SENT.id }), ["a"]);
    assert.deepEqual(await ids({ sentId: SENT.messageId }), ["a"]);
    assert.deepEqual(await store.list("https://other.example.com example.com", {}), []);
  },

  counts: async (store) => {
    await store.add(message({ id: "a" }));
    await store.change("a", { states: ["queued"] }, { state: "queued", dueInMs: -HOUR_MS });
    await store.add(message({ id: "b", priority: "high" }));
    await store.add(message({ id: "c", sendAt: Date.now() + HOUR_MS }));
    await store.add(message({ id: "d", target: "https://other.example.com example.com" }));
    await store.add(message({ id: "e" }));
    await store.change("e", { states: ["queued"] }, { state: "parked", reason: "no answer" });
    const { states, due, oldestDueMs = 0, elsewhere, problems } = await store.counts(TARGET);
    assert.deepEqual(states, {
      queued: 3,
      sending: 0,
      accepted: 0,
      rejected: 0,
      parked: 1,
      expired: 0,
      discarded: 0,
    });
    assert.deepEqual([due, elsewhere], [{ high: 1, normal: 1 }, 1]);
    assert.ok(oldestDueMs >= HOUR_MS && oldestDueMs < 2 * HOUR_MS, "it says for how long");
    const { changedAt: lastAt } = (await store.get(TARGET, "e")) ?? {};
    assert.deepEqual(problems, [{ state: "parked", reason: "no answer", messages: 1, lastAt }]);
    await store.take(normal("lease"));
    const later = await store.counts(TARGET);
    assert.deepEqual([later.states.sending, later.due], [1, { high: 1, normal: 0 }]);
    assert.ok((later.oldestDueMs ?? 0) >= HOUR_MS, "a message that is being sent counts");
    assert.deepEqual(await store.targets(), [TARGET, "https://other.example.com example.com"]);
  },

  "deletes contents, then messages with their keys, but never waiting messages": async (store) => {
    for (const id of ["a", "b", "c", "d"]) await store.add(message({ id, key: key(id) }));
    for (const id of ["a", "b"]) await store.take(normal(id));
    await store.change("a", { states: ["sending"] }, { state: "accepted", sent: SENT });
    await store.change("b", { states: ["sending"] }, { state: "parked", reason: "no answer" });
    await store.take(normal("c"));
    const [all, none] = [-1, HOUR_MS];
    const clean = (contentsMs: number, undecidedMs: number, messagesMs: number) =>
      store.clean({ target: TARGET, contentsMs, undecidedMs, messagesMs });
    const kept = async () =>
      Promise.all(
        ["a", "b", "c", "d"].map(async (id) => {
          const storedMessage = await store.get(TARGET, id);
          return storedMessage && [storedMessage.hasContents, storedMessage.email !== undefined, storedMessage.key];
        }),
      );
    const whole = (id: string) => [true, true, id];
    const emptied = [false, false, undefined];
    await clean(none, none, none);
    assert.deepEqual(await kept(), ["a", "b", "c", "d"].map(whole));
    await clean(all, none, none);
    assert.deepEqual(await kept(), [emptied, whole("b"), whole("c"), whole("d")]);
    assert.equal((await store.add(message({ key: key("a") }))).added, false);
    await clean(all, all, none);
    assert.deepEqual(await kept(), [emptied, emptied, whole("c"), whole("d")]);
    await clean(all, all, all);
    assert.deepEqual(await kept(), [undefined, undefined, whole("c"), whole("d")]);
    assert.equal((await store.add(message({ key: key("a") }))).added, true);
  },

  "drops contents if a change says so": async (store) => {
    await store.add(message({ id: "a", key: key("k") }));
    await store.take(normal("lease"));
    await store.change("a", { states: ["sending"] }, { state: "accepted", sent: SENT, dropContents: true });
    const storedMessage = await store.get(TARGET, "a");
    assert.deepEqual(
      [storedMessage?.hasContents, storedMessage?.email, storedMessage?.key],
      [false, undefined, undefined],
    );
    assert.equal((await store.byKey(TARGET, "hash of k"))?.id, "a");
  },
};
