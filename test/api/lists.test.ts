import * as fc from "fast-check";
import { expect, test } from "vitest";
import { all } from "./exchange.js";
import { answerJson, clientOf, clientV3Of, serve } from "./servers.js";
import { alias, logEntry } from "./shapes.js";
import { credentialV3, logEntryV3 } from "./shapes-v3.js";

const name = "example.com";

/** The aliases of a domain, in pages of their own size; `between` may change them before each answer. */
async function serveAliases(ids: string[], between: (page: number) => void = () => undefined) {
  return serve(({ url }, response) => {
    const query = new URL(url, "http://service").searchParams;
    const [page, limit] = [Number(query.get("page")), Number(query.get("limit"))];
    between(page);
    const aliases = ids.slice((page - 1) * limit, page * limit).map((id) => ({ ...alias, id }));
    answerJson(response, 200, { aliases, limit, page, total: ids.length });
  });
}

const numbers = (count: number) => Array.from({ length: count }, (_, i) => String(i));

test("yields each item once with any page size", async () => {
  const ids = numbers(23);
  const { url } = await serveAliases(ids);
  const client = clientOf(url);
  for (let limit = 1; limit < 26; limit += 1) {
    const read = await all(client.aliases.list(name, { limit }));
    expect(read.map(({ id }) => id)).toEqual(ids);
  }
});

test("yields once every item that stays in the list, whatever else comes and goes", async () => {
  // Items that are added while as many others are removed hide both from the total: either kind alone must do no harm.
  const changeOf = (add: fc.Arbitrary<number>, remove: fc.Arbitrary<number>) =>
    fc.array(fc.record({ add, remove, at: fc.nat(1000) }), { maxLength: 12 });
  const none = fc.constant(0);
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 25 }),
      fc.integer({ min: 1, max: 7 }),
      fc.oneof(changeOf(fc.nat(3), none), changeOf(none, fc.nat(3))),
      async (count, limit, changes) => {
        const constant = numbers(count);
        const ids = constant.flatMap((id) => [id, `extra-${id}`]);
        const { url, seen } = await serveAliases(ids, () => {
          const { add = 0, remove = 0, at = 0 } = changes.shift() ?? {};
          for (let i = 0; i < add; i += 1) ids.splice(at % (ids.length + 1), 0, `new-${ids.length}`);
          const extras = ids.filter((id) => id.startsWith("extra-"));
          for (const id of extras.slice(at % (extras.length + 1)).slice(0, remove)) ids.splice(ids.indexOf(id), 1);
        });
        const read = (await all(clientOf(url).aliases.list(name, { limit }))).map(({ id }) => id);
        expect(new Set(read).size).toBe(read.length);
        expect(seen.length).toBeLessThan(500);
        expect(constant.filter((id) => !read.includes(id))).toEqual([]);
      },
    ),
    { numRuns: 40 },
  );
});

test("does not miss an item because of a removal during the second reading", async () => {
  const ids = numbers(6).flatMap((id) => [id, `extra-${id}`]);
  let answers = 0;
  const { url } = await serveAliases(ids, () => {
    answers += 1;
    // After the first page, one of its items is removed, so the next item moves onto the page that was read. Then the
    // same again.
    const extra = ids.find((id) => id.startsWith("extra-"));
    if (answers % 2 === 0 && answers <= 8 && extra !== undefined) ids.splice(ids.indexOf(extra), 1);
  });
  const read = (await all(clientOf(url).aliases.list(name, { limit: 3 }))).map(({ id }) => id);
  expect(numbers(6).filter((id) => !read.includes(id))).toEqual([]);
});

test("reads a list to the end while its items are deleted as they come", async () => {
  const ids = numbers(50);
  const { url } = await serveAliases(ids);
  const read: string[] = [];
  for await (const { id } of clientOf(url).aliases.list(name, { limit: 7 })) {
    read.push(id);
    ids.splice(ids.indexOf(id), 1);
  }
  expect(read.toSorted()).toEqual(numbers(50).toSorted());
});

test("ends with a service that answers every page with the same items", async () => {
  const { url, seen } = await serve((_, response) =>
    answerJson(response, 200, { aliases: [alias], limit: 1, page: 1, total: 9 }),
  );
  expect(await all(clientOf(url).aliases.list(name, { limit: 1 }))).toEqual([alias]);
  expect(seen.length).toBeLessThan(20);
});

test("ends with a cursor that repeats", async () => {
  const { url, seen } = await serve((_, response) =>
    answerJson(response, 200, { logs: [logEntry], limit: 1, cursor: null, next_cursor: logEntry.id }),
  );
  expect(await all(clientOf(url).logs.list(name))).toEqual([logEntry]);
  expect(seen).toHaveLength(2);
});

test("ends with an offset that does not change, and yields moved results once", async () => {
  const { url } = await serve((_, response) =>
    answerJson(response, 200, { logs: [logEntry], limit: 1, offset: 0, total: 9, next_offset: 1 }),
  );
  expect(await all(clientOf(url).logs.search(name, "receipt"))).toEqual([logEntry]);
});

const entries = numbers(7).map((digit) => ({ ...logEntryV3, id: `170000000${digit}.ab` }));

test.each([
  ["the answer's cursor", (end: number) => ({ next_cursor: entries[end - 1]?.id ?? null })],
  ["the last entry's id, if the answer has no cursor", () => ({})],
])("reads version 3's log by %s", async (_, cursorOf) => {
  const { url, seen } = await serve(({ url: target }, response) => {
    const after = new URL(target, "http://service").searchParams.get("next_cursor");
    const start = after === null ? 0 : entries.findIndex(({ id }) => id === after) + 1;
    const end = Math.min(start + 3, entries.length);
    answerJson(response, 200, { logs: entries.slice(start, end), ...cursorOf(end), success: true });
  });
  const client = clientV3Of(url);
  expect(await all(client.logs.list(name))).toEqual(entries);
  expect(await all(client.logs.ofAlias(name, "info"))).toEqual(entries);
  expect(seen).toHaveLength(8);
});

test("yields an entry once if the page begins with the cursor's own entry, and ends", async () => {
  const { url } = await serve(({ url: target }, response) => {
    const from = new URL(target, "http://service").searchParams.get("next_cursor");
    const start = entries.findIndex(({ id }) => id === (from ?? entries[0]?.id));
    answerJson(response, 200, { logs: entries.slice(start, start + 3), success: true });
  });
  expect(await all(clientV3Of(url).logs.list(name))).toEqual(entries);
});

test.each([20, 1000])("reads version 3's credentials, which have no total, with pages of %i", async (size) => {
  const credentials = numbers(45).map((digit) => ({ ...credentialV3, username: `robot-${digit}` }));
  const { url } = await serve(({ url: target }, response) => {
    // One documented format has no pages.
    const page = size < 1000 ? Number(new URL(target, "http://service").searchParams.get("page")) : 1;
    answerJson(response, 200, { credentials: credentials.slice((page - 1) * size, page * size), success: true });
  });
  expect(await all(clientV3Of(url).credentials.list(name))).toEqual(credentials);
});

test("does not request more of a service with one page than it has, whatever its total is", async () => {
  const { url, seen } = await serve((_, response) =>
    answerJson(response, 200, { aliases: [alias], limit: 20, page: 1, total: 1_000_000 }),
  );
  expect(await all(clientOf(url).aliases.list(name))).toHaveLength(1);
  expect(seen.length).toBeLessThan(30);
});
