import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { AbortedError, ServiceError } from "../../src/api/errors.js";
import type { SyncEvent } from "../../src/sync/events.js";
import type { Wait } from "../../src/sync/patience.js";
import { readRemote } from "../../src/sync/remote.js";
import { answerJson, rejection } from "../api/servers.js";
import { domain, fields, serveTemplates } from "./service.js";

test("bodies are read only of names that exist on both sides, each once", async () => {
  const { client, seen } = await serveTemplates(["a", "b", "c", "d"].map((name) => fields(name)));
  const local = ["b", "d", "e", "b"].map((name) => fields(name));
  const remote = await readRemote({ client, domain, local });
  expect(remote.names).toEqual(["a", "b", "c", "d"]);
  expect([...remote.templates.keys()].toSorted()).toEqual(["b", "d"]);
  expect(remote.templates.get("b")).toMatchObject(fields("b"));
  expect(seen.map(({ url }) => url).toSorted()).toEqual(
    ["", "/b", "/d"].map((end) => `/v4/domains/${domain}/templates${end}`),
  );
});

test("progress counts what was read", async () => {
  const templates = ["a", "b", "c", "d", "e", "f"].map((name) => fields(name));
  const { client } = await serveTemplates(templates);
  const events: SyncEvent[] = [];
  await readRemote({ client, domain, local: templates, onEvent: (event) => events.push(event) });
  expect(events.map((event) => (event.kind === "read" ? `${event.done}/${event.total}` : event.kind))).toEqual(
    [1, 2, 3, 4, 5, 6].map((done) => `${done}/6`),
  );
});

test("a template that is deleted while the others are read counts as absent", async () => {
  const { client } = await serveTemplates([fields("a"), fields("b")], ({ url }, response) => {
    if (!url.endsWith("/b")) return false;
    answerJson(response, 404, { message: "Template not found", errors: {} });
    return true;
  });
  const remote = await readRemote({ client, domain, local: [fields("a"), fields("b")] });
  expect(remote.names).toEqual(["a"]);
  expect([...remote.templates.keys()]).toEqual(["a"]);
});

test("a rate limit is waited out for as long as the service says", async () => {
  const { client } = await serveTemplates([fields("a")], (_, response, count) => {
    if (count > 2) return false;
    answerJson(response, 429, { message: "Too many requests", errors: {} }, { "retry-after": String(count * 10) });
    return true;
  });
  const waits: number[] = [];
  const events: SyncEvent[] = [];
  const remote = await readRemote({
    client,
    domain,
    local: [fields("a")],
    onEvent: (event) => events.push(event),
    wait: async (milliseconds) => void waits.push(milliseconds),
  });
  expect([...remote.templates.keys()]).toEqual(["a"]);
  expect(waits).toEqual([10_000, 20_000]);
  expect(events).toMatchObject([{ kind: "waiting", seconds: 10 }, { kind: "waiting", seconds: 20 }, { kind: "read" }]);
});

test.each([
  ["that does not end", "30", 6],
  ["that asks for too long a wait", "3600", 1],
])("a rate limit %s is an error", async (_, retryAfter, requests) => {
  const { client, seen } = await serveTemplates([], (_request, response) => {
    answerJson(response, 429, { message: "Too many requests", errors: {} }, { "retry-after": retryAfter });
    return true;
  });
  const error = await rejection(readRemote({ client, domain, local: [], wait: async () => undefined }));
  expect(error).toMatchObject({ code: "refused", status: 429, serviceMessage: "Too many requests" });
  expect(seen).toHaveLength(requests);
});

test("an abort ends a wait at once", async () => {
  const controller = new AbortController();
  const { client } = await serveTemplates([], (_, response) => {
    answerJson(response, 429, { message: "Too many requests", errors: {} }, { "retry-after": "60" });
    return true;
  });
  const onEvent = () => controller.abort();
  expect(await rejection(readRemote({ client, domain, local: [], signal: controller.signal, onEvent }))).toBeInstanceOf(
    AbortedError,
  );
});

test("a refusal is the service's own, and ends the reading", async () => {
  const templates = Array.from({ length: 50 }, (_, i) => fields(`t${i}`));
  const { client, seen } = await serveTemplates(templates, ({ url }, response) => {
    if (url.endsWith("/templates")) return false;
    answerJson(response, 403, { message: "A premium plan is required", errors: {} });
    return true;
  });
  const error = await rejection(readRemote({ client, domain, local: templates }));
  expect(error).toBeInstanceOf(ServiceError);
  expect(String(error)).toContain("A premium plan is required");
  await client.close();
  expect(seen.length).toBeLessThanOrEqual(5);
});

test("where one read fails, another that waits for the rate limit is given up at once", async () => {
  const { client } = await serveTemplates([fields("limited"), fields("broken")], ({ url }, response) => {
    if (url.endsWith("/templates")) return false;
    const [status, delay] = url.endsWith("/limited") ? [429, 0] : [500, 50];
    const refuse = () => answerJson(response, status, { message: "No", errors: {} }, { "retry-after": "60" });
    setTimeout(refuse, delay);
    return true;
  });
  const waits: Promise<void>[] = [];
  const wait: Wait = (milliseconds, signal) => {
    const waiting = sleep(milliseconds, undefined, { signal });
    waits.push(waiting);
    return waiting;
  };
  const local = [fields("limited"), fields("broken")];
  const error = await rejection(readRemote({ client, domain, local, wait }));
  expect(error).toMatchObject({ status: 500 });
  expect(await Promise.allSettled(waits)).toMatchObject([{ status: "rejected" }]);
});
