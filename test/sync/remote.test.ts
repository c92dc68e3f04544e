import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { AbortedError, ServiceError } from "../../src/api/errors.js";
import type { SyncEvent } from "../../src/sync/events.js";
import type { WaitFor } from "../../src/sync/patience.js";
import { writeMarker } from "../../src/text/marker.js";
import { readRemote } from "../../src/sync/remote.js";
import { createClient } from "../../src/api/client.js";
import { answerJson, rejection, unusedUrl } from "../api/servers.js";
import { domain, fields, serveTemplates } from "./service.js";

const all = (summaries: ReadonlyMap<string, unknown>) => summaries.keys();

test("reads the list, and each wanted body once", async () => {
  const { client, seen } = await serveTemplates(["a", "b", "c", "d"].map((name) => fields(name)));
  const remote = await readRemote({ client, domain, wanted: () => ["b", "d"] });
  expect([...remote.summaries.keys()]).toEqual(["a", "b", "c", "d"]);
  expect([...remote.templates.keys()].toSorted()).toEqual(["b", "d"]);
  expect(remote.templates.get("b")?.stored).toMatchObject(fields("b"));
  expect(seen.map(({ url }) => url).toSorted()).toEqual(
    ["", "/b", "/d"].map((end) => `/v4/domains/${domain}/templates${end}`),
  );
});

test("separates a marker from the description", async () => {
  const marker = { text: "lettershop acme", applied: "u0Yw3kq_Zb", contract: "x8Kq2a" };
  const { client } = await serveTemplates([fields("a", { description: writeMarker("About a", marker) })]);
  const remote = await readRemote({ client, domain, wanted: all });
  expect(remote.summaries.get("a")).toMatchObject({ marker });
  expect(remote.templates.get("a")).toMatchObject({ marker, content: { description: "About a" } });
});

test("knows when a template was seen from the service's clock before the request", async () => {
  const { client } = await serveTemplates([fields("a"), fields("b")]);
  const withClock = await readRemote({ client, domain, wanted: all, reached: () => 1_800_000_000 });
  expect(withClock.templates.get("a")?.seen).toBe(1_800_000_000);
  // If the service's clock is unknown, it has at least reached the latest change.
  const untold = await readRemote({ client, domain, wanted: all });
  expect(untold.templates.get("a")?.seen).toBe(Date.parse("2026-08-12T09:30:00Z") / 1000);
});

test("reports progress of what was read", async () => {
  const templates = ["a", "b", "c", "d", "e", "f"].map((name) => fields(name));
  const { client } = await serveTemplates(templates);
  const events: SyncEvent[] = [];
  await readRemote({ client, domain, wanted: all, onEvent: (event) => events.push(event) });
  expect(events.map((event) => (event.kind === "read" ? `${event.done}/${event.total}` : event.kind))).toEqual(
    [1, 2, 3, 4, 5, 6].map((done) => `${done}/6`),
  );
});

test("treats a template that is deleted meanwhile as absent", async () => {
  const { client } = await serveTemplates([fields("a"), fields("b")], ({ url }, response) => {
    if (!url.endsWith("/b")) return false;
    answerJson(response, 404, { message: "Template not found", errors: {} });
    return true;
  });
  const remote = await readRemote({ client, domain, wanted: all });
  expect([...remote.summaries.keys()]).toEqual(["a"]);
  expect([...remote.templates.keys()]).toEqual(["a"]);
});

test("waits out a rate limit for as long as the service says", async () => {
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
    wanted: all,
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
])("fails for a rate limit %s", async (_, retryAfter, requests) => {
  const { client, seen } = await serveTemplates([], (_request, response) => {
    answerJson(response, 429, { message: "Too many requests", errors: {} }, { "retry-after": retryAfter });
    return true;
  });
  const error = await rejection(readRemote({ client, domain, wanted: all, wait: async () => undefined }));
  expect(error).toMatchObject({ code: "refused", status: 429, serviceMessage: "Too many requests" });
  expect(seen).toHaveLength(requests);
});

test("ends a wait at once on abort", async () => {
  const controller = new AbortController();
  const { client } = await serveTemplates([], (_, response) => {
    answerJson(response, 429, { message: "Too many requests", errors: {} }, { "retry-after": "60" });
    return true;
  });
  const onEvent = () => controller.abort();
  expect(
    await rejection(readRemote({ client, domain, wanted: all, signal: controller.signal, onEvent })),
  ).toBeInstanceOf(AbortedError);
});

test("ends reading with the service's own refusal", async () => {
  const templates = Array.from({ length: 50 }, (_, i) => fields(`t${i}`));
  const { client, seen } = await serveTemplates(templates, ({ url }, response) => {
    if (url.endsWith("/templates")) return false;
    answerJson(response, 403, { message: "A premium plan is required", errors: {} });
    return true;
  });
  const error = await rejection(readRemote({ client, domain, wanted: all }));
  expect(error).toBeInstanceOf(ServiceError);
  expect(String(error)).toContain("A premium plan is required");
  await client.close();
  expect(seen.length).toBeLessThanOrEqual(9);
});

test("repeats a read that the service fails or whose answer is cut, but not one to an unreachable service", async () => {
  const { client, seen } = await serveTemplates([fields("a")], ({ url }, response, count) => {
    if (count === 1) answerJson(response, 500, { message: "Oh", errors: {} });
    else if (count === 3 && url.endsWith("/a")) response.socket?.destroy();
    else return false;
    return true;
  });
  const waits: number[] = [];
  const wait: WaitFor = async (milliseconds) => void waits.push(milliseconds);
  const remote = await readRemote({ client, domain, wanted: all, wait });
  expect([...remote.templates.keys()]).toEqual(["a"]);
  expect(seen).toHaveLength(4);
  expect(waits).toEqual([200, 200]);

  const nobody = createClient({ apiKey: "k", baseUrl: await unusedUrl(), retries: 0 });
  const error = await rejection(readRemote({ client: nobody, domain, wanted: all, wait }));
  expect(error).toMatchObject({ code: "unreachable" });
  expect(waits).toHaveLength(2);
});

test("gives up other waiting reads at once when one fails", async () => {
  let beginWait = () => {};
  const waiting = new Promise<void>((resolve) => (beginWait = resolve));
  const { client } = await serveTemplates([fields("limited"), fields("broken")], ({ url }, response) => {
    if (url.endsWith("/templates")) return false;
    const refuse = (status: number) =>
      answerJson(response, status, { message: "No", errors: {} }, { "retry-after": "60" });
    if (url.endsWith("/limited")) refuse(429);
    else void waiting.then(() => refuse(403));
    return true;
  });
  const waits: Promise<void>[] = [];
  const wait: WaitFor = (milliseconds, signal) => {
    const slept = sleep(milliseconds, undefined, { signal });
    waits.push(slept);
    beginWait();
    return slept;
  };
  const error = await rejection(readRemote({ client, domain, wanted: all, wait }));
  expect(error).toMatchObject({ status: 403 });
  expect(await Promise.allSettled(waits)).toMatchObject([{ status: "rejected" }]);
});
