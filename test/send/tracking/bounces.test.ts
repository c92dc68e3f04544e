import { describe, expect, onTestFinished, test } from "vitest";
import type { Bounce } from "../../../src/send/tracking/bounces.js";
import { bouncesOf } from "../../../src/send/compose.js";
import { hastyClock as clock } from "../hasty-clock.js";
import { tracked, type Tracked } from "./tracked.js";

const MINUTE_MS = 60_000;

/** Collects bounces in the background. */
function collect({ tracking }: Tracked, since?: Date) {
  const found: Bounce[] = [];
  const controller = new AbortController();
  onTestFinished(() => controller.abort());
  const options = { signal: controller.signal, ...(since === undefined ? {} : { since }) };
  const ended = (async () => {
    for await (const bounce of bouncesOf(async () => tracking, options)) found.push(bounce);
  })();
  return {
    found,
    short: () => found.map(({ email, state }) => `${state} ${email.split("@")[0]}`),
    async until(count: number) {
      await expect.poll(() => found.length).toBeGreaterThanOrEqual(count);
    },
    async end() {
      controller.abort();
      await ended;
    },
  };
}

describe.each(["v4", "v3"] as const)("bounces, %s", (version) => {
  test("yields each once, as it happens, including late ones of older entries", async () => {
    const all = await tracked({ clock }, version);
    const { send, service } = all;
    const bounces = collect(all);
    await send(["hard-bounce@example.org", "ada@example.org"]);
    await bounces.until(1);
    await send(["soft-bounce@example.org", "refused@example.org"]);
    await bounces.until(3);
    // Others come in between, and much later the first one is refused for the second time.
    service.clock.advance(2 * MINUTE_MS);
    await send("bounced@example.org");
    await bounces.until(5);
    await bounces.end();
    expect(bounces.short().toSorted()).toEqual([
      "BOUNCED bounced",
      "HARD-BOUNCE hard-bounce",
      "REFUSED refused",
      "SOFT-BOUNCE soft-bounce",
      "SOFT-BOUNCE soft-bounce",
    ]);
    expect(bounces.found[0]).toMatchObject({
      final: true,
      code: 550,
      meaning: "no such mailbox",
      at: expect.any(Date),
    });
  });

  test("does not yield what happened before the call, but does with `since`", async () => {
    const all = await tracked({ clock }, version);
    const { send, service } = all;
    const before = new Date(Math.floor(Date.now() / 1000) * 1000);
    await send("hard-bounce@example.org");
    service.clock.advance(MINUTE_MS);
    await send("ada@example.org");
    const fresh = collect(all);
    const since = collect(all, before);
    const later = collect(all, new Date(before.getTime() + MINUTE_MS / 2));
    await send("bounced@example.org");
    await Promise.all([fresh.until(1), since.until(2), later.until(1)]);
    await Promise.all([fresh.end(), since.end(), later.end()]);
    expect(fresh.short()).toEqual(["BOUNCED bounced"]);
    expect(later.short()).toEqual(["BOUNCED bounced"]);
    expect(since.short()).toEqual(["HARD-BOUNCE hard-bounce", "BOUNCED bounced"]);
  });
});

test("repeats a failed look, and misses and repeats nothing", async () => {
  const all = await tracked({ clock });
  const { send, service } = all;
  const bounces = collect(all);
  await send("hard-bounce@example.org");
  await bounces.until(1);
  service.faults.add({ kind: "refuse", endpoint: "v4 logs.list", status: 500, times: 4 });
  await send("bounced@example.org");
  await bounces.until(2);
  await bounces.end();
  expect(bounces.short()).toEqual(["HARD-BOUNCE hard-bounce", "BOUNCED bounced"]);
});

test("ends the iteration with the service's message if the key is not accepted", async () => {
  const all = await tracked({ clock });
  const { service, track } = all;
  const environment = {
    name: "test",
    url: service.url,
    apiKey: "wrong",
    domain: service.domain,
    version: "v4",
    namePrefix: "",
    nameSuffix: "",
  } as const;
  const bounces = track({ environment }).bounces({}, performance.now());
  await expect(bounces.next()).rejects.toMatchObject({ code: "refused", status: 401 });
});
