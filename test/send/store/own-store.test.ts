import { expect, onTestFinished, test } from "vitest";
import { createMailer, type Mailer, type MailStore, SendError, StoreError } from "../../../src/send/index.js";
import { systemClock } from "../../../src/send/clock.js";
import { memoryStore } from "../../../src/send/store/memory.js";
import { MemoryOutbox } from "../../../src/testing/memory-outbox.js";
import { answerJson, rejection, serve } from "../../api/servers.js";

/** A custom store whose calls fail like a database client's, as soon as one of them is named. */
class OwnStore {
  readonly failing = new Set<string>();
  readonly #parts;
  readonly outbox;
  readonly pace;
  readonly ledger;
  readonly suppressions;

  constructor() {
    const memory = { ...memoryStore({ ...systemClock }), outbox: new MemoryOutbox(systemClock) };
    this.#parts = memory;
    this.outbox = this.#failing(memory.outbox, "outbox");
    this.pace = this.#failing(memory.pace, "pace");
    this.ledger = this.#failing(memory.ledger, "ledger");
    this.suppressions = this.#failing(memory.suppressions, "suppressions");
  }

  async close(): Promise<void> {
    await this.#parts.close();
  }

  #failing<Part extends object>(part: Part, name: string): Part {
    return new Proxy(part, {
      get: (target, method) => {
        const value: unknown = Reflect.get(target, method);
        if (typeof value !== "function") return value;
        // Some throw, others reject.
        return (...args: unknown[]) => {
          if (this.failing.has(`${name}.${String(method)}`)) throw new Error("no connection for ada@example.org");
          return Reflect.apply(value, target, args) as unknown;
        };
      },
    });
  }
}

async function open() {
  const service = { cuts: false };
  const { url, seen } = await serve(({ method }, response) => {
    if (method === "POST" && service.cuts) response.destroy();
    else answerJson(response, 200, { id: "1.a", message_id: `<${seen.length}@example.com>`, data: [] });
  });
  const store = new OwnStore();
  const mailer: Mailer<object> = createMailer({
    url,
    domain: "example.com",
    apiKey: "key-of-the-test",
    from: "shop",
    store: store satisfies MailStore,
    sendsPerMinute: Number.POSITIVE_INFINITY,
    suppressHardBounces: true,
    maxWait: 300,
  });
  onTestFinished(() => mailer.close());
  return { mailer, store, service, sends: () => seen.filter(({ method }) => method === "POST").length };
}

let count = 0;
const message = () => ({ to: "ada@example.org", subject: "Hi", text: `Message ${(count += 1)}` });

test.each(["ledger.begin", "pace.reserve", "suppressions.find"])(
  "wraps what %s of a custom store throws in a StoreError, and sends nothing",
  async (call) => {
    const { mailer, store, sends } = await open();
    store.failing.add(call);
    const error = await rejection(mailer.sendMessage(message()));
    expect(error).toBeInstanceOf(StoreError);
    expect(error).toBeInstanceOf(SendError);
    expect(error).toMatchObject({
      code: "store",
      message: `The mailer's store failed: ${call} threw an error.`,
      cause: { message: "no connection for ada@example.org" },
    });
    expect(sends()).toBe(0);
    store.failing.clear();
    await mailer.sendMessage(message());
    expect(sends()).toBe(1);
  },
);

test("wraps what the outbox throws when a message is queued", async () => {
  const { mailer, store } = await open();
  store.failing.add("outbox.add");
  expect(await rejection(mailer.queueMessage(message()))).toMatchObject({ code: "store", name: "StoreError" });
});

test.each(["ledger.end", "pace.settle"])("counts an accepted message as sent even if %s fails", async (call) => {
  const { mailer, store } = await open();
  store.failing.add(call);
  expect(await mailer.sendMessage(message())).toMatchObject({ outcome: "accepted" });
});

test.each(["ledger.claim", "ledger.keepAlive", "ledger.end"])(
  "leaves a request in doubt that may have arrived if %s fails",
  async (call) => {
    const { mailer, store, service } = await open();
    service.cuts = true;
    store.failing.add(call);
    expect(await rejection(mailer.sendMessage(message()))).toMatchObject({ code: "unknown_outcome" });
  },
);
