import * as fc from "fast-check";
import { expect, test } from "vitest";
import { deletedResponse } from "../../src/api/contract/batch.js";
import { aliasesAddedResponse, aliasesUpdatedResponse, aliasListResponse } from "../../src/api/contract/v4/aliases.js";
import { rulesAddedResponse, rulesUpdatedResponse } from "../../src/api/contract/v4/rules.js";
import { refusal, startApi } from "./harness.js";

const aliasBatch = "/domains/example.test/aliases/batch";
const ruleBatch = "/domains/example.test/rules/batch";
const forward = "ada@example.com";
const ofAlias = { type: "alias", config: { alias: "sales", forward } };

async function deleteBatch(api: Awaited<ReturnType<typeof startApi>>, path: string, body: unknown) {
  return await api.request(`/v4${path}`, {
    method: "DELETE",
    headers: {
      authorization: `Basic ${Buffer.from(`api:${api.service.apiKey}`).toString("base64")}`,
      "content-type": "application/json",
    },
    body: JSON.stringify(body),
  });
}

test.each([
  ["POST", aliasBatch, "aliases"],
  ["PUT", aliasBatch, "aliases"],
  ["DELETE", aliasBatch, "ids"],
  ["POST", ruleBatch, "rules"],
  ["PUT", ruleBatch, "rules"],
  ["DELETE", ruleBatch, "ids"],
] as const)("%s %s takes a list of at most 500", async (method, path, name) => {
  const api = await startApi();
  const call = (body: unknown) =>
    method === "POST" ? api.post(path, body) : method === "PUT" ? api.put(path, body) : deleteBatch(api, path, body);
  for (const wrong of [{}, { [name]: "a" }, { [name]: { 0: "a" } }, { [name]: Array.from({ length: 501 }, () => 0) }]) {
    expect(refusal(await call(wrong))).toMatchObject({ status: 400, fields: [name] });
  }
  const most = await call({ [name]: Array.from({ length: 500 }, () => 0) });
  expect([most.status, JSON.parse(most.text).failed_count]).toEqual([207, 500]);
  const none = await call({ [name]: [] });
  expect([none.status, JSON.parse(none.text)]).toMatchObject([200, { failed: [], failed_count: 0 }]);
});

test("500 aliases are added, updated and deleted at once", async () => {
  const api = await startApi();
  const aliases = Array.from({ length: 500 }, (_, index) => ({ alias: `a${index}`, forward }));
  const added = await api.post(aliasBatch, { aliases });
  expect(added.status).toBe(200);
  const body = added.read(aliasesAddedResponse);
  expect(body).toMatchObject({ added_count: 500, failed: [], failed_count: 0 });
  const ids = body.added.map(({ id }) => id);
  const updated = await api.put(aliasBatch, { aliases: ids.map((id) => ({ id, forward: "bob@example.com" })) });
  expect([updated.status, updated.read(aliasesUpdatedResponse).updated_count]).toEqual([200, 500]);
  const deleted = await deleteBatch(api, aliasBatch, { ids });
  expect(deleted.status).toBe(200);
  expect(deleted.read(deletedResponse)).toEqual({ deleted: ids, deleted_count: 500, failed: [], failed_count: 0 });
});

test("a failed entry has its position, a message and its errors, and is not echoed back", async () => {
  const api = await startApi();
  const entries = [
    { alias: "a", forward },
    { alias: "A", forward },
    { alias: "b", forward: "nobody" },
    { alias: "c", forward },
    "d",
    null,
    {},
  ];
  const answer = await api.post(aliasBatch, { aliases: entries });
  expect(answer.status).toBe(207);
  const { added, failed, ...counts } = answer.read(aliasesAddedResponse);
  expect(counts).toEqual({ added_count: 2, failed_count: 5 });
  expect(added.map(({ alias }) => alias)).toEqual(["a", "c"]);
  const taken = "alias is already taken by another alias of the domain";
  expect(failed.map(({ index }) => index)).toEqual([1, 2, 4, 5, 6]);
  expect(failed[0]).toEqual({ index: 1, message: taken, errors: { alias: [taken] } });
  expect(failed[1]?.message).toContain("invalid forward address");
  expect(failed[2]).toEqual({ index: 4, message: "The entry must be an object.", errors: {} });
  expect(JSON.parse(answer.text).failed.map(Object.keys)).toEqual(failed.map(() => ["index", "message", "errors"]));
});

test("an update changes the fields of its entry, and must have at least one", async () => {
  const api = await startApi();
  const { added } = (
    await api.post(ruleBatch, { rules: [ofAlias, { type: "cel", config: { expression: "true", forward } }] })
  ).read(rulesAddedResponse);
  const [first, second] = added.map(({ id }) => id);
  const answer = await api.put(ruleBatch, {
    rules: [
      { id: first, active: false },
      { id: second, config: { expression: "false", forward }, rank: 0.5 },
      { id: first },
      { id: second, config: ofAlias.config },
      { id: "7c7b9a0e-0000-4000-8000-000000000000", active: true },
      { active: true },
    ],
  });
  expect(answer.status).toBe(207);
  const { updated, failed } = answer.read(rulesUpdatedResponse);
  expect(updated).toMatchObject([
    { id: first, active: false, config: ofAlias.config, rank: 1 },
    { id: second, rank: 0.5, config: { expression: "false" } },
  ]);
  expect(failed.map(({ index, errors }) => [index, Object.keys(errors)])).toEqual([
    [2, []],
    [3, ["config"]],
    [4, []],
    [5, ["id"]],
  ]);
  expect(failed[2]?.message).toBe("There is no such rule on the domain.");
});

test("every entry either succeeds, in order, or fails at its position", async () => {
  const api = await startApi();
  const entry = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({ alias: fc.constantFrom("a", "b", "c", "D", "d", "x y"), forward: fc.constant(forward) }),
    },
    { weight: 1, arbitrary: fc.jsonValue() },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(entry, { maxLength: 12 }), async (aliases) => {
      await api.delete("/domains/example.test/aliases?all=true");
      const answer = await api.post(aliasBatch, { aliases });
      const { added, added_count, failed, failed_count } = answer.read(aliasesAddedResponse);
      expect(answer.status).toBe(failed.length > 0 ? 207 : 200);
      expect([added_count, failed_count]).toEqual([added.length, failed.length]);
      const failedAt = new Set(failed.map(({ index }) => index));
      expect([...failedAt]).toEqual([...failedAt].toSorted((a, b) => a - b));
      expect(aliases.filter((_, index) => !failedAt.has(index))).toEqual(
        added.map(({ alias, forward: to }) => ({ alias, forward: to })),
      );
      const listed = (await api.get("/domains/example.test/aliases?order=created_asc")).read(aliasListResponse);
      expect(listed.aliases).toEqual(added);
    }),
    { numRuns: process.env["MODE"] === "long" ? 400 : 15 },
  );
});
