import { describe, expect, onTestFinished, test } from "vitest";
import { createClient } from "../../../src/api/client.js";
import { ContractError } from "../../../src/api/errors.js";
import { deliveryLogOf } from "../../../src/send/delivery/delivery-log.js";
import { answerJson, serve } from "../../api/servers.js";

interface Kept {
  readonly at: number;
  readonly status: string;
}

/** Version 3's log, whose search returns at most this many entries. */
async function logWith(kept: readonly Kept[], most: number) {
  const entries = kept.map(({ at, status }, index) => ({
    id: `${at}.${index.toString(16)}`,
    created: at,
    created_raw: at,
    events: [{ id: `e${index}`, code: 550, created: at, local: "", message: "", server: "", status }],
    forward: null,
    hostname: "h",
    messageId: `<${index}@example.com>`,
    recipient: { email: `${index}@example.org`, name: null },
    sender: { email: "shop@example.com", name: null },
    subject: "",
    transport: "api",
  }));
  const { url, seen } = await serve(({ url: target }, response) => {
    const { pathname, searchParams: query } = new URL(target, "http://localhost");
    const [after, before] = ["after", "before"].map((name) => Number(query.get(name)) * 1000);
    if (pathname.endsWith("/count"))
      return answerJson(response, 200, { total: entries.filter(({ events: [e] }) => e?.status === "REFUSED").length });
    if (pathname.endsWith("/search")) {
      const failed = entries.filter(({ events: [e] }) => query.get("filter") === "all" || e?.status.includes("BOUNCE"));
      const logs = failed.filter(({ created }) => created >= (after ?? 0) && created <= (before ?? 0)).slice(0, most);
      return answerJson(response, 200, { logs, success: true });
    }
    const newest = entries.toReversed();
    const begin = newest.findIndex(({ id }) => id === query.get("next_cursor")) + 1;
    return answerJson(response, 200, { logs: newest.slice(begin, begin + 100), success: true });
  });
  const client = createClient({ baseUrl: url, apiKey: "key", version: "v3" });
  onTestFinished(() => client.close());
  const log = deliveryLogOf({ version: "v3", client, domain: "example.com" });
  const within = async (from: number, states: readonly ("REFUSED" | "HARD-BOUNCE")[]) => {
    const read: string[] = [];
    for await (const { id } of log.within({ from, states })) read.push(id);
    return read;
  };
  return { within, seen, ids: entries.map(({ id }) => id) };
}

const NOON = Date.parse("2026-11-20T12:00:00Z");

describe("version 3's search, which may be truncated", () => {
  test.each([
    ["spread over time", (index: number) => NOON + 400 * index],
    ["many in a second", (index: number) => NOON + 1000 * Math.floor(index / 40)],
    ["more in a second than it returns", (index: number) => NOON + (index < 30 ? 0 : 1000)],
  ])("yields every entry once: %s", async (_, at) => {
    const kept = Array.from({ length: 250 }, (__, index) => ({ at: at(index), status: "HARD-BOUNCE" }));
    const { within, ids } = await logWith(kept, 50);
    expect((await within(NOON, ["HARD-BOUNCE"])).toSorted()).toEqual(ids.toSorted());
  });

  test("searches for refused messages only if there are any", async () => {
    const bounced = { at: NOON, status: "HARD-BOUNCE" };
    const without = await logWith([bounced, { at: NOON, status: "DELIVERED" }], 50);
    expect(await without.within(NOON, ["HARD-BOUNCE", "REFUSED"])).toEqual(without.ids.slice(0, 1));
    expect(without.seen.at(-1)?.url).toContain("filter=failure");
    const refused = await logWith([bounced, { at: NOON, status: "REFUSED" }], 50);
    expect(await refused.within(NOON, ["HARD-BOUNCE", "REFUSED"])).toEqual(refused.ids);
  });
});

describe("entries that are not as documented", () => {
  const event = { id: "e", code: 250, local: "", message: "", server: "", status: "DELIVERED" };
  const entry = {
    id: "1.a",
    events: [event],
    forward: null,
    hostname: "h",
    recipient: { email: "ada@example.org", name: null },
    sender: { email: "shop@example.com", name: null },
    subject: "Receipt",
    transport: "api",
  };
  const time = "2026-11-20T12:00:00Z";
  const forms = {
    v4: { entry: { ...entry, message_id: "<1@example.com>", created_at: time }, event: { ...event, created_at: time } },
    v3: {
      entry: { ...entry, messageId: "<1@example.com>", created: NOON, created_raw: NOON },
      event: { ...event, created: NOON },
    },
  };

  test.each(["v4", "v3"] as const)("don't hide the others of their page: %s", async (version) => {
    const { entry: ours, event: known } = forms[version];
    const logs = [
      { ...ours, id: "2.a", recipient: null },
      { id: "3.a" },
      { ...ours, id: "4.a", subject: null, events: [{ ...known, status: "DEFERRED" }, known] },
      { ...ours, id: "5.a", forward: undefined, hostname: null, events: null },
      {
        ...ours,
        id: "6.a",
        recipient: { email: "ada@example.org" },
        sender: { email: "shop@example.com" },
        events: [known],
      },
      { ...ours, events: [known] },
    ];
    const { url } = await serve((_, response) =>
      answerJson(response, 200, { logs, limit: 100, next_cursor: null, success: true }),
    );
    const client = createClient({ baseUrl: url, apiKey: "key", version });
    onTestFinished(() => client.close());
    // Each version has its own client.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const log = deliveryLogOf({ version, client, domain: "example.com" } as Parameters<typeof deliveryLogOf>[0]);
    const read = [];
    for await (const { id, subject, events } of log.newest()) read.push([id, subject, events.length]);
    expect(read).toEqual([
      ["4.a", "", 1],
      ["5.a", "Receipt", 0],
      ["6.a", "Receipt", 1],
      ["1.a", "Receipt", 1],
    ]);
    await expect(client.logs.page("example.com")).rejects.toBeInstanceOf(ContractError);
  });
});
