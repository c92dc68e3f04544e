import * as fc from "fast-check";
import { expect, test } from "vitest";
import { frozenClock } from "../../src/service/index.js";
import { type Api, startApi, temporaryFolder } from "./harness.js";
import { openLog } from "./log-entries.js";
import { version3 } from "./version-3.js";

const domain = "/domains/example.test";
const COUNT = 11;
const numbers = Array.from({ length: COUNT }, (_, number) => number);
const numRuns = process.env["MODE"] === "long" ? 100 : 10;

type Page = Readonly<Record<string, unknown>>;
type Position = string | number | null;
type Get = (path: string) => Promise<Page>;

const reader =
  (api: { get(path: string): Promise<{ text: string }> }): Get =>
  async (path) =>
    JSON.parse((await api.get(path)).text) as Page;

const forward = "ada@example.com";
const names = numbers.map((n) => `a${n}`);

const pages = [
  {
    path: "/domains",
    member: "domains",
    fill: (api: Api) => Promise.all(names.slice(1).map((name) => api.post("/domains", { domain: `${name}.test` }))),
    key: "domain",
    orders: { v4: ["name_asc", "name_desc", "created_asc", "created_desc"], v3: [] },
  },
  {
    path: `${domain}/aliases`,
    member: "aliases",
    fill: (api: Api) => api.post(`${domain}/aliases/batch`, { aliases: names.map((alias) => ({ alias, forward })) }),
    key: "id",
    orders: { v4: ["name_asc", "name_desc", "created_asc", "created_desc"], v3: [] },
  },
  {
    path: `${domain}/rules`,
    member: "rules",
    fill: (api: Api) =>
      api.post(`${domain}/rules/batch`, {
        rules: names.map((alias) => ({ type: "alias", config: { alias, forward }, rank: 1 })),
      }),
    key: "id",
    orders: { v4: ["rank_asc", "rank_desc", "created_asc", "created_desc"], v3: [] },
  },
  {
    path: `${domain}/credentials`,
    member: "credentials",
    fill: (api: Api) =>
      Promise.all(names.map((username) => api.post(`${domain}/credentials`, { username, password: "correct horse" }))),
    key: "username",
    orders: { v4: [], v3: [] },
  },
] as const;

/** Identifies an item of a page. */
function keysOf(page: Page, member: string, key: string): unknown[] {
  return (page[member] as readonly Page[]).map((item) => item[key]);
}

test.each(pages)(
  "$member appear once each, whatever the page size and order",
  async ({ path, member, fill, key, orders }) => {
    // All at the same moment, so that times do not distinguish them.
    const api = await startApi({ clock: frozenClock(Date.parse("2026-11-20T10:00:00Z")) });
    await fill(api);
    const versions = [
      { get: reader(api), orders: orders.v4 },
      { get: reader(version3(api)), orders: orders.v3 },
    ];
    for (const { get, orders: known } of versions) {
      const order = known.length > 0 ? fc.constantFrom(...known) : fc.constant("");
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 1, max: 14 }), order, async (limit, by) => {
          const seen: unknown[] = [];
          for (let page = 1; (page - 1) * limit < COUNT; page++) {
            seen.push(...keysOf(await get(`${path}?limit=${limit}&page=${page}&order=${by}`), member, key));
          }
          expect(seen).toHaveLength(COUNT);
          expect(new Set(seen).size).toBe(COUNT);
        }),
        { numRuns },
      );
    }
  },
);

test("log entries appear once each, by cursor and by offset, even if all are of the same moment", async () => {
  const clock = frozenClock(Date.parse("2026-11-20T10:00:00Z"));
  const data = await temporaryFolder();
  const api = await startApi({ data, clock });
  const log = await openLog(data, clock);
  const ids = log.add(...numbers.map((n) => ({ createdAt: clock.now() - Math.floor(n / 5) * 1_000 })));
  const get = reader(api);
  const limits = fc.integer({ min: 1, max: 14 });
  const follow = async (path: string, next: string, parameter: string) => {
    const seen: unknown[] = [];
    let address = path;
    for (let from: Position = ""; from !== null; address = `${path}&${parameter}=${from}`) {
      const page = await get(address);
      seen.push(...keysOf(page, "logs", "id"));
      from = page[next] as Position;
    }
    expect(seen).toHaveLength(COUNT);
    expect(new Set(seen)).toEqual(new Set(ids));
  };
  await fc.assert(
    fc.asyncProperty(limits, fc.constantFrom("created_asc", "created_desc"), async (limit, order) => {
      await follow(`${domain}/logs?limit=${limit}&order=${order}`, "next_cursor", "cursor");
      await follow(`${domain}/logs/search?query=hello&limit=${limit}&order=${order}`, "next_offset", "offset");
      await follow(`${domain}/logs/search?query=hello&limit=${limit}`, "next_offset", "offset");
    }),
    { numRuns },
  );
});
