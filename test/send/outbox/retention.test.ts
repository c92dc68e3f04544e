import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { Base64Content } from "../../../src/api/calls/http.js";
import { ConfigurationError } from "../../../src/errors.js";
import type { OutboxState } from "../../../src/send/store/outbox.js";
import { temporaryFile } from "./open.js";
import { mail, openOutbox, type TestOutbox } from "./outbox.js";

const SECRETS = ["ada@secret.example", "secret variable", "secret file", "secret key"];
const DAY_MS = 86_400_000;

function inFile(file: string): string[] {
  const bytes = [file, `${file}-wal`].map((part) => readFileSync(part, "latin1")).join("");
  return SECRETS.filter((secret) => bytes.includes(secret));
}

/** Messages of all sizes, stored in one page, in several, and in overflow pages. */
async function queueSecrets({ outbox }: TestOutbox): Promise<string[]> {
  const ids: string[] = [];
  for (const size of [10, 1_000, 3_000, 20_000, 200_000]) {
    const padding = "secret file ".repeat(size / 10);
    const { id } = await outbox.queue(
      mail({
        key: `secret key ${size}`,
        email: {
          from: "shop",
          to: "ada@secret.example",
          template: "receipt",
          variables: { value: `secret variable ${padding}` },
          attachments: [{ filename: "a.txt", content: new Base64Content(Buffer.from(padding)) }],
        },
      }),
    );
    ids.push(id);
  }
  return ids;
}

/** Lets a worker clean the outbox once. */
async function workOnce({ outbox, clock }: TestOutbox): Promise<void> {
  const worker = outbox.work();
  await clock.advance(1);
  await worker.stop();
}

async function decide({ store }: TestOutbox, ids: readonly string[], state: OutboxState): Promise<void> {
  for (const id of ids) await store.change(id, { states: ["queued"] }, { state });
}

describe("what an outbox keeps", () => {
  it.each([
    ["accepted", DAY_MS],
    ["expired", DAY_MS],
    ["discarded", DAY_MS],
    ["parked", 30 * DAY_MS],
    ["rejected", 30 * DAY_MS],
  ] as const)("deletes contents of %s messages from the file after their time, and not before", async (state, kept) => {
    const file = temporaryFile();
    const test = await openOutbox({ file });
    const ids = await queueSecrets(test);
    await decide(test, ids, state);
    await test.clock.advance(kept);
    await workOnce(test);
    expect(inFile(file)).toEqual(SECRETS);
    await test.clock.advance(1_000);
    await workOnce(test);
    expect(inFile(file)).toEqual([]);
    const [message] = await test.outbox.list();
    if (state === "parked" || state === "rejected") expect(message).toBeUndefined();
    else expect(message).toMatchObject({ state, hasContents: false });
  });

  it("knows keys after their text is deleted, until their time is over", async () => {
    const test = await openOutbox({ keepContents: "1m", keepKeys: "1h" });
    const { id } = await test.outbox.queue(mail({ key: "order 1" }));
    await decide(test, [id], "accepted");
    await test.clock.advance(3_600_000);
    await workOnce(test);
    expect(await test.outbox.get(id)).toMatchObject({ hasContents: false });
    expect(await test.outbox.queue(mail({ key: "order 1" }))).toMatchObject({ id, duplicate: true, state: "accepted" });
    await test.clock.advance(60_000);
    await workOnce(test);
    expect(await test.outbox.queue(mail({ key: "order 1" }))).toMatchObject({ duplicate: false });
  });

  it("keeps waiting messages as long as they wait", async () => {
    const test = await openOutbox();
    const { id } = await test.outbox.queue(mail({ sendAt: test.clock.time() + 90 * DAY_MS }));
    await test.clock.advance(89 * DAY_MS);
    await workOnce(test);
    expect(await test.outbox.get(id)).toMatchObject({ state: "queued", email: mail().email });
  });

  it("accepts only valid durations", async () => {
    await expect(openOutbox({ keepKeys: "for ever" as "1d" })).rejects.toThrow(ConfigurationError);
    await expect(openOutbox({ keepContents: -1 })).rejects.toThrow("outbox.keepContents is -1");
    await expect(openOutbox({ keepContents: 0 })).resolves.toBeDefined();
  });
});
