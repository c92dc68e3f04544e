import { expect, test } from "vitest";
import { BatchError } from "../../src/api/errors.js";
import { answerJson, clientOf, clientV3Of, rejection, serve, type SeenRequest } from "./servers.js";
import { alias } from "./shapes.js";
import type { ServerResponse } from "node:http";

const name = "example.com";
const newAliases = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ alias: `a${i}`, forward: "ada@example.org" }));

type Fault = (request: SeenRequest, response: ServerResponse, count: number) => boolean;

/** Adds aliases, and refuses every hundredth of each request. */
async function serveBatches(fault: Fault = () => false) {
  let count = 0;
  return serve((request, response) => {
    count += 1;
    if (fault(request, response, count)) return;
    const { aliases } = JSON.parse(request.body);
    const failed = [];
    const added = [];
    for (const [index, item] of aliases.entries()) {
      if (index % 100 === 99) failed.push({ index, message: "taken", errors: { alias: ["taken"] } });
      else added.push({ ...alias, ...item, id: item.alias });
    }
    answerJson(response, failed.length > 0 ? 207 : 200, {
      added,
      added_count: added.length,
      failed,
      failed_count: failed.length,
    });
  });
}

test("sends any number of items in requests of 500, and keeps each failure's position", async () => {
  const { url, seen } = await serveBatches();
  const result = await clientOf(url).aliases.createMany(name, newAliases(1201));
  expect(seen.map(({ body }) => JSON.parse(body).aliases.length)).toEqual([500, 500, 201]);
  expect(result.failed.map(({ index }) => index)).toEqual([
    99, 199, 299, 399, 499, 599, 699, 799, 899, 999, 1099, 1199,
  ]);
  expect(result).toMatchObject({ added_count: 1189, failed_count: 12 });
  expect(result.added.map(({ id }) => id)).toEqual(
    newAliases(1201)
      .map((item) => item.alias)
      .filter((_, i) => i % 100 !== 99),
  );
});

test("makes no request for no items", async () => {
  const { url, seen } = await serveBatches();
  const { aliases, rules } = clientOf(url);
  expect(await aliases.createMany(name, [])).toEqual({ added: [], added_count: 0, failed: [], failed_count: 0 });
  expect(await rules.updateMany(name, [])).toEqual({ updated: [], updated_count: 0, failed: [], failed_count: 0 });
  expect(await rules.deleteMany(name, [])).toEqual({ deleted: [], deleted_count: 0, failed: [], failed_count: 0 });
  expect(seen).toEqual([]);
});

const range = (start: number, end: number) => Array.from({ length: end - start }, (_, i) => start + i);

test.each([
  [
    "a refusal",
    (response: ServerResponse) => answerJson(response, 403, { message: "Paid plans only", errors: {} }),
    "refused",
    false,
  ],
  [
    "an endless 429",
    (response: ServerResponse) => answerJson(response, 429, { message: "Slow", errors: {} }, { "retry-after": "90" }),
    "refused",
    false,
  ],
  ["a connection that broke", (response: ServerResponse) => response.socket?.destroy(), "unreachable", true],
  [
    "a failure of the service",
    (response: ServerResponse) => answerJson(response, 500, { message: "Oops", errors: {} }),
    "refused",
    true,
  ],
  [
    "an answer that violates the contract",
    (response: ServerResponse) => answerJson(response, 200, {}),
    "contract",
    true,
  ],
])("loses no known result for %s in the middle", async (_, fault, code, isUnknown) => {
  const { url, seen } = await serveBatches((_request, response, count) => {
    if (count !== 2) return false;
    fault(response);
    return true;
  });
  const error = await rejection(clientOf(url).aliases.createMany(name, newAliases(1600)));
  expect(error).toBeInstanceOf(BatchError);
  expect(error).toMatchObject({
    code: "batch",
    cause: { code },
    done: { added_count: 495, failed_count: 5 },
    unknown: isUnknown ? range(500, 1000) : [],
    notDone: isUnknown ? range(1000, 1600) : range(500, 1600),
  });
  expect(seen).toHaveLength(2);
});

test("throws the request's own error if one request is enough", async () => {
  const { url } = await serve((_, response) => answerJson(response, 403, { message: "Paid plans only", errors: {} }));
  expect(await rejection(clientOf(url).aliases.createMany(name, newAliases(500)))).toMatchObject({
    code: "refused",
    status: 403,
  });
});

test("also splits version 3's bulk requests", async () => {
  const { url, seen } = await serve(({ body }, response) => {
    const { aliases } = JSON.parse(body);
    const [first, ...rest] = aliases;
    answerJson(response, 200, {
      deleted: rest.map((item: object, id: number) => ({ ...item, id, forward: "ada@example.org" })),
      failed: [first],
      success: true,
    });
  });
  const aliases = newAliases(700).map((item) => ({ alias: item.alias }));
  const result = await clientV3Of(url).aliases.bulk(name, "delete", aliases);
  expect(seen).toHaveLength(2);
  expect(result.failed).toEqual([{ alias: "a0" }, { alias: "a500" }]);
  expect(result.deleted).toHaveLength(698);
});

test("refuses an answer with a failed entry at an impossible position", async () => {
  for (const index of [-1, 2, 500]) {
    const failed = [{ index, message: "taken", errors: {} }];
    const { url } = await serve((_, response) =>
      answerJson(response, 207, { added: [], added_count: 0, failed, failed_count: 1 }),
    );
    const error = await rejection(clientOf(url).aliases.createMany(name, newAliases(2)));
    expect(error).toMatchObject({ code: "contract" });
  }
});

test("gives an error of version 3's bulk of rules its position in the whole", async () => {
  const { url } = await serve(({ body }, response) => {
    const { rules } = JSON.parse(body);
    const errors = [{ index: rules.length - 1, message: "There is no such rule." }, "something else"];
    answerJson(response, 200, { errors, results: [], success: true });
  });
  const { errors } = await clientV3Of(url).rules.bulk(
    name,
    "delete",
    Array.from({ length: 700 }, (_, i) => ({ id: String(i) })),
  );
  expect(errors).toEqual([
    { index: 499, message: "There is no such rule." },
    "something else",
    { index: 699, message: "There is no such rule." },
    "something else",
  ]);
});
