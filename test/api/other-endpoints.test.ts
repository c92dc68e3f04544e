import { expect, test } from "vitest";
import { all } from "./exchange.js";
import { createSendingClient } from "../../src/api/sending-client.js";
import { answerJson, clientOf, clientV3Of, rejection, serve } from "./servers.js";

const name = "example.com";

test("refuses values that would address another endpoint", async () => {
  const { url, seen } = await serve((_, response) => answerJson(response, 200, { success: true }));
  const v4 = clientOf(url);
  const v3 = clientV3Of(url);
  const access = { apiKey: "key-of-the-tests", baseUrl: url };
  const ofMailer = createSendingClient(access);
  const ofMailerV3 = createSendingClient({ ...access, version: "v3" });
  for (const call of [
    v4.aliases.delete(name, "batch"),
    v4.rules.get(name, "batch"),
    v4.logs.get(name, "search"),
    v4.logs.get(name, "count"),
    v3.aliases.delete(name, "aliases-all"),
    v3.aliases.get(name, "bulk"),
    v3.rules.delete(name, "bulk"),
    all(v3.logs.ofAlias(name, "search")),
    ofMailer.logs.get(name, "search"),
    ofMailer.logs.get(name, "count"),
    ofMailerV3.logs.get(name, "search"),
    ofMailerV3.logs.get(name, "count"),
  ])
    expect(String(await rejection(call))).toMatch(
      /"[a-z-]+" can't be the \w+ in .*, because that is the path of another endpoint/,
    );
  expect(seen).toEqual([]);
});

test("refuses half a surrogate pair in a path", async () => {
  expect(String(await rejection(clientOf("http://127.0.0.1:1").domains.get("\ud800")))).toContain(
    '"\\ud800" can\'t be the domain',
  );
});

test.each([Number.NaN, 1.5, -1, Infinity])(
  "makes no request for %d, which is not a valid id of an alias",
  async (id) => {
    const { url, seen } = await serve((_, response) => answerJson(response, 200, {}));
    const [v4, v3] = [clientOf(url), clientV3Of(url)];
    for (const call of [
      () => v4.aliases.get(name, id),
      () => v4.aliases.update(name, id, { forward: "a@example.org" }),
      () => v4.aliases.deleteMany(name, ["7", id]),
      () => v3.aliases.update(name, id, { forward: "a@example.org" }),
      () => v3.aliases.delete(name, id),
    ])
      expect(String(await rejection(call()))).toContain(`TypeError: ${id} is not a valid id of an alias.`);
    expect(seen).toEqual([]);
  },
);
