import { expect, test } from "vitest";
import { all } from "./exchange.js";
import { answerJson, clientOf, clientV3Of, rejection, serve } from "./servers.js";

const name = "example.com";

test("what is called as another endpoint is not taken for it", async () => {
  const { url, seen } = await serve((_, response) => answerJson(response, 200, { success: true }));
  const v4 = clientOf(url);
  const v3 = clientV3Of(url);
  for (const call of [
    v4.aliases.delete(name, "batch"),
    v4.rules.get(name, "batch"),
    v4.logs.get(name, "search"),
    v4.logs.get(name, "count"),
    v3.aliases.delete(name, "aliases-all"),
    v3.aliases.get(name, "bulk"),
    v3.rules.delete(name, "bulk"),
    all(v3.logs.ofAlias(name, "search")),
  ])
    expect(String(await rejection(call))).toMatch(
      /"[a-z-]+" cannot be the \w+ in .*: that is the path of another endpoint/,
    );
  expect(seen).toEqual([]);
});

test("half a character is no part of a path", async () => {
  expect(String(await rejection(clientOf("http://127.0.0.1:1").domains.get("\ud800")))).toContain(
    '"\\ud800" cannot be the domain',
  );
});
