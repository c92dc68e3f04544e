import { once } from "node:events";
import { setTimeout as timer } from "node:timers/promises";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { contentHash } from "../../../src/sync/content.js";
import type { SyncEvent } from "../../../src/sync/events.js";
import { readMarker, writeMarker } from "../../../src/text/marker.js";
import { PlanError } from "../../../src/sync/plan/obstacles.js";
import { operationsOf, type Plan } from "../../../src/sync/plan/plan.js";
import { startGateway } from "./gateway.js";
import type { Fault, RunningService } from "../../../src/service/index.js";
import { content, inWords, local, machine, MARKER, startLocalService, versions } from "./machine.js";

const names = ["a", "b", "c", "d"];
const all = names.map((name) => local(name));
const changed = names.map((name) => local(name, content(`${name} new`)));

const long = process.env["MODE"] === "long";

describe.each(versions)("over version %s", (version) => {
  /** For tests that don't depend on how a version writes. */
  const testOnce = test.runIf(version === "v4" || long);

  async function start(options: Parameters<typeof startLocalService>[0] = {}) {
    const service = await startLocalService(options);
    return { service, domain: service.domain, ...(await machine({ service, version })) };
  }

  const fault = (service: RunningService, failure: Fault) =>
    service.faults.add({ ...failure, endpoint: `${version} ${failure.endpoint}` });

  test("creates, updates only what differs, deletes, and then changes nothing", async () => {
    const { sync, client, domain } = await start();
    expect(inWords((await sync(all)).outcomes)).toEqual(names.map((name) => `applied create ${name}`));
    const next = [local("a", content("a", { subject: "New" })), local("b")];
    const second = await sync(next, { prune: true });
    expect(inWords(second.outcomes)).toEqual(["applied update a", "applied delete c", "applied delete d"]);
    const stored = await client.templates.get(domain, "a");
    expect(stored).toMatchObject({ subject: "New", html_body: "<p>a</p>" });
    expect(second.outcomes[0]).toMatchObject({ template: stored, differs: [] });
    expect((await sync(next, { prune: true })).outcomes).toEqual([]);
  });

  testOnce("takes three requests for one change: list, GET, PUT", async () => {
    const { service, sync, counts } = await start();
    await sync(all);
    service.clock.advance(5_000);
    await sync(all);
    service.clock.advance(5_000);
    const before = total(counts);
    await sync(all);
    expect(total(counts) - before).toBe(1);
    await sync([...all.slice(1), local("a", content("other"))]);
    expect(total(counts) - before).toBe(4);
  });

  testOnce("saves what is overwritten and deleted", async () => {
    const { sync, client, folder, domain } = await start();
    await sync(all);
    const before = await client.templates.get(domain, "a");
    const gone = await client.templates.get(domain, "d");
    await sync([local("a", content("new")), local("b"), local("c")], { prune: true });
    const [run = ""] = (await readdir(path.join(folder, "runs"))).toSorted().slice(-1);
    const read = async (name: string) =>
      JSON.parse(await readFile(path.join(folder, "runs", run, "before", `${name}.json`), "utf8"));
    expect(await read("a")).toEqual(before);
    expect(await read("d")).toEqual(gone);
  });

  test("renames templates in place along a chain", async () => {
    const { sync, client, domain } = await start();
    await sync([local("a"), local("b")]);
    const next = [local("b", content("a"), "a"), local("c", content("b now"), "b")];
    const { outcomes } = await sync(next, { renames: "in-place" });
    expect(inWords(outcomes)).toEqual(["applied rename b", "applied rename a"]);
    expect((await client.templates.list(domain)).map(({ name }) => name).toSorted()).toEqual(["b", "c"]);
    expect(await client.templates.get(domain, "c")).toMatchObject({ subject: "b now" });
    expect((await sync(next, { renames: "in-place" })).plan.steps).toEqual([]);
  });

  const mishaps: [string, DistributiveOmit<Fault, "endpoint">, "once" | "twice"][] = [
    ["a cut after the write", { kind: "cut", when: "after" }, "once"],
    ["an answer that is not JSON", { kind: "malformed" }, "once"],
    ["a cut before the write", { kind: "cut", when: "before" }, "twice"],
    ["a 500 before the write", { kind: "refuse", status: 500 }, "twice"],
    ["a 429", { kind: "refuse", status: 429, retryAfter: 0 }, "twice"],
  ];
  test.each(version === "v4" || long ? mishaps : mishaps.slice(0, 1))(
    "looks up a write after %s, and repeats it only if it had no effect",
    async (_, failure, sent) => {
      const { service, client, sync, domain, counts } = await start();
      await sync(all.slice(0, 3));
      const target = [local("a", content("new")), local("b", content("b"), "c"), local("x")];
      const first = [...target.slice(0, 1), local("b"), local("c")];
      const count = (endpoint: string) => counts.get(endpoint) ?? 0;
      const expected = sent === "once" ? 1 : 2;

      const puts = count("PUT /domains/:domain/templates/:name");
      fault(service, { ...failure, endpoint: "templates.update" });
      expect(inWords((await sync(first)).outcomes)).toEqual(["applied update a"]);
      expect(count("PUT /domains/:domain/templates/:name") - puts).toBe(expected);

      const posts = count("POST /domains/:domain/templates");
      fault(service, { ...failure, endpoint: "templates.create" });
      expect(inWords((await sync([...first, local("x")])).outcomes)).toEqual(["applied create x"]);
      expect(count("POST /domains/:domain/templates") - posts).toBe(expected);

      // In version 4, the answer to a delete has no body.
      if (failure.kind !== "malformed") {
        const deletes = count("DELETE /domains/:domain/templates/:name");
        fault(service, { ...failure, endpoint: "templates.delete" });
        expect(inWords((await sync(first, { prune: true })).outcomes)).toEqual(["applied delete x"]);
        expect(count("DELETE /domains/:domain/templates/:name") - deletes).toBe(expected);
      }
      const renames = count("PUT /domains/:domain/templates/:name");
      fault(service, { ...failure, endpoint: "templates.update" });
      const renamed = [...first.slice(0, 2), local("y", content("y"), "c")];
      expect(inWords((await sync(renamed, { renames: "in-place" })).outcomes)).toEqual(["applied rename c"]);
      expect(count("PUT /domains/:domain/templates/:name") - renames).toBe(expected);
      expect((await client.templates.list(domain)).map(({ name }) => name).toSorted()).toEqual(
        failure.kind === "malformed" ? ["a", "b", "x", "y"] : ["a", "b", "y"],
      );
    },
  );

  test("reports a write with an unknown effect, stops the rest, and finds it in the next run", async () => {
    const { service, folder } = await start();
    fault(service, { kind: "cut", endpoint: "templates.create", when: "after", times: 6 });
    fault(service, { kind: "cut", endpoint: "templates.get", when: "before", times: 500 });
    const { sync } = await machine({ service, version, folder, retries: 0 });
    const { outcomes, stopped } = await sync([...all, ...changed.map(({ name }) => local(`${name}2`))]);
    expect(stopped).toMatchObject({ code: "unreachable" });
    expect(outcomes.map(({ result }) => result)).toEqual(["unknown", ...Array<string>(7).fill("notAttempted")]);
    service.faults.clear();
    const next = await sync([...all, ...changed.map(({ name }) => local(`${name}2`))]);
    expect(next.plan.held).toEqual([]);
    expect(next.outcomes).toHaveLength(7);
  });

  test("leaves alone what has changed, reports its current state, and applies the others", async () => {
    const { service, plan, apply, sync, client, domain } = await start();
    await sync(all);
    service.clock.advance(5_000);
    const planned = await plan(changed);
    service.clock.advance(5_000);
    await client.templates.update(domain, "b", { subject: "By hand" });
    await client.templates.delete(domain, "c");
    const { outcomes } = await apply(planned, { now: laterBy(3_000) });
    expect(inWords(outcomes)).toEqual(["applied update a", "moved update b", "moved update c", "applied update d"]);
    expect(outcomes[1]).toMatchObject({ template: { subject: "By hand" } });
    expect(outcomes[2]).not.toHaveProperty("template");
    expect(await client.templates.get(domain, "b")).toMatchObject({ subject: "By hand", html_body: "<p>b</p>" });
  });

  testOnce("notices an edit within the second of the last change", async () => {
    const { plan, apply, sync, client, domain } = await start({ clock: standingClock() });
    await sync(all);
    const planned = await plan(changed);
    await client.templates.update(domain, "b", { subject: "By hand" });
    const { outcomes } = await apply(planned, { now: laterBy(3_000) });
    expect(inWords(outcomes)).toEqual(["applied update a", "moved update b", "applied update c", "applied update d"]);
  });

  testOnce("counts what someone else brought to the same state as done, and does not write it", async () => {
    const { service, plan, apply, sync, counts } = await start();
    const other = await machine({ service, version });
    await sync(all);
    const planned = await plan(changed);
    await other.sync(changed);
    const puts = counts.get("PUT /domains/:domain/templates/:name");
    const { outcomes } = await apply(planned, { now: laterBy(3_000) });
    expect(inWords(outcomes)).toEqual(names.map((name) => `applied update ${name}`));
    expect(counts.get("PUT /domains/:domain/templates/:name")).toBe(puts);
  });

  testOnce("handles a name that was taken since, and one that was deleted since", async () => {
    const { plan, apply, sync, client, domain } = await start();
    await sync([local("old")]);
    const creating = await plan([local("old"), local("new")]);
    await client.templates.create(domain, { name: "new", subject: "By hand" });
    expect(inWords((await apply(creating)).outcomes)).toEqual(["moved create new"]);
    const pruning = await plan([], { prune: true });
    await client.templates.delete(domain, "old");
    expect(inWords((await apply(pruning)).outcomes)).toEqual(["applied delete old"]);
  });

  testOnce("uses one read of the list for several operations in a large plan", async () => {
    const { service, plan, apply, sync, client, domain, counts } = await start();
    const many = Array.from({ length: 24 }, (_, i) => `t${String(i).padStart(2, "0")}`);
    await sync(many.map((name) => local(name)));
    service.clock.advance(5_000);
    const planned = await plan(many.map((name) => local(name, content(`${name} new`))));
    service.clock.advance(5_000);
    await client.templates.update(domain, "t23", { subject: "By hand" });
    const lists = counts.get("GET /domains/:domain/templates") ?? 0;
    // Nothing becomes outdated here, however slow the machine is.
    const { outcomes } = await apply(planned, { now: standing() });
    expect(outcomes.at(-1)).toMatchObject({ result: "moved" });
    expect(outcomes.filter(({ result }) => result === "applied")).toHaveLength(23);
    expect((counts.get("GET /domains/:domain/templates") ?? 0) - lists).toBeLessThanOrEqual(7);
  });

  testOnce("deletes as many templates first as necessary at the limit of 200, and no more", async () => {
    const templates = Array.from({ length: 195 }, (_, i) => ({ name: `theirs-${i}` }));
    const service = await startLocalService({ seed: { domains: [{ name: "example.test", templates }] } });
    const { sync, client } = await machine({ service, version });
    const five = ["a", "b", "c", "d", "e"];
    await sync(five.map((name) => local(name)));
    const { outcomes } = await sync(
      five.map((name) => local(`new-${name}`, content(`${name} new`))),
      { prune: true },
    );
    expect(outcomes.map(({ result, operation }) => `${result} ${operation.kind}`)).toEqual([
      ...Array<string>(5).fill("applied delete"),
      ...Array<string>(5).fill("applied create"),
    ]);
    expect(await client.templates.list(service.domain)).toHaveLength(200);
  });

  test("names a refused template with the service's message, and applies the others", async () => {
    const { sync } = await start();
    const { outcomes, stopped } = await sync([local("bad", content("bad", { html_body: "{{#open}}" })), local("good")]);
    expect(inWords(outcomes)).toEqual(["failed create bad", "applied create good"]);
    expect(outcomes[0]).toMatchObject({ error: { status: 400, fieldErrors: { html_body: [expect.any(String)] } } });
    expect(stopped).toBeUndefined();
  });

  testOnce("stops what has not started after a 403, or if the domain is gone", async () => {
    const { service, sync, plan } = await start();
    const many = Array.from({ length: 20 }, (_, i) => local(`t${i}`));
    fault(service, { kind: "refuse", endpoint: "templates.create", status: 403 });
    const { outcomes, stopped } = await sync(many);
    expect(stopped).toMatchObject({ status: 403 });
    expect(outcomes.map(({ result }) => result)).toEqual(["failed", ...Array<string>(19).fill("notAttempted")]);
    const planned = await plan(many);
    const elsewhere = await machine({ service: { ...service, domain: "elsewhere.test" }, version });
    const result = await elsewhere.apply(planned);
    expect(result.stopped).toMatchObject({ status: 404 });
  });

  testOnce("lets requests finish at a signal, and starts nothing more", async () => {
    const service = await startLocalService();
    const gateway = await startGateway(service);
    const { sync } = await machine({ service: { ...service, url: gateway.url }, version });
    const controller = new AbortController();
    // The first goes alone, then six at once: the signal comes when these have arrived.
    let arrived = 0;
    const aborted = once(controller.signal, "abort");
    gateway.before = async (method) => {
      if (method !== "POST" || (arrived += 1) === 1) return;
      if (arrived === 7) controller.abort();
      await aborted;
    };
    const many = Array.from({ length: 20 }, (_, i) => local(`t${i}`));
    const done: number[] = [];
    const onEvent = (event: SyncEvent) => {
      if (event.kind === "applied") done.push(event.done);
    };
    const { outcomes } = await sync(many, {}, { signal: controller.signal, onEvent });
    expect(outcomes.map(({ result }) => result)).toEqual([
      ...Array<string>(7).fill("applied"),
      ...Array<string>(13).fill("notAttempted"),
    ]);
    // What was not started does not count as done.
    expect(done).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  testOnce("ends the wait for a rate limit at a signal, for refused writes and waiting ones", async () => {
    const service = await startLocalService();
    const { sync } = await machine({ service, version, pacing: true });
    fault(service, { kind: "refuse", endpoint: "templates.create", status: 429, retryAfter: 60 });
    const controller = new AbortController();
    const onEvent = ({ kind }: SyncEvent) => {
      if (kind === "waiting") setTimeout(() => controller.abort(), 100);
    };
    const many = Array.from({ length: 20 }, (_, i) => local(`t${i}`));
    const { outcomes } = await sync(
      many,
      {},
      {
        signal: controller.signal,
        onEvent,
        wait: async (milliseconds, signal) => {
          await timer(milliseconds, undefined, { signal });
        },
      },
    );
    const results = new Set(outcomes.map(({ result }) => result));
    expect([...results].every((result) => result === "applied" || result === "notAttempted")).toBe(true);
    expect(outcomes.at(-1)).toMatchObject({ result: "notAttempted" });
  });

  testOnce("ignores line ends and spaces that the service changes", async () => {
    const { service, sync } = await start();
    service.settings.set({ normaliseBodies: true });
    const templates = [local("a", content("a", { html_body: "<p>a</p>  \r\n<p>b</p>\n\n" }))];
    expect((await sync(templates)).outcomes).toMatchObject([{ result: "applied", differs: [] }]);
    expect((await sync(templates)).plan.steps).toEqual([]);
  });

  test.each([MARKER, undefined])(
    "reports what the service stores differently, and learns it once (marker: %s)",
    async (markerText) => {
      const service = await startLocalService();
      const gateway = await startGateway(service);
      gateway.alter = (text) => text.replaceAll("<p>", "<p >");
      const { sync, client } = await machine({ service: { ...service, url: gateway.url }, version, markerText });
      const { outcomes } = await sync([local("a")]);
      expect(outcomes).toMatchObject([
        { result: "applied", differs: [{ field: "html_body", sent: "<p>a</p>", stored: "<p >a</p>", at: 2 }] },
      ]);
      const stored = contentHash(content("a", { html_body: "<p >a</p>" }));
      expect(outcomes).toMatchObject([{ stored }]);
      expect(readMarker((await client.templates.get(service.domain, "a")).description).marker?.stored).toBe(
        markerText === undefined ? undefined : stored,
      );
      expect(gateway.writes).toHaveLength(markerText === undefined ? 1 : 2);
      expect(await sync([local("a")])).toMatchObject({ plan: { steps: [], held: [] } });
      // Another machine, without a lock, knows it from the marker.
      const other = await machine({ service: { ...service, url: gateway.url }, version, hasLock: false });
      if (markerText !== undefined)
        expect(await other.plan([local("a")])).toMatchObject({ plan: { steps: [], held: [] } });
      expect(inWords((await sync([local("a", content("new"))])).outcomes)).toEqual(["applied update a"]);
    },
  );

  test("notices in the answer that someone else changed a field at the same moment", async () => {
    const service = await startLocalService();
    const gateway = await startGateway(service);
    const { sync } = await machine({ service: { ...service, url: gateway.url }, version });
    const { client } = await machine({ service, version });
    await sync([local("a")]);
    gateway.before = async (method) => {
      if (method === "PUT") await client.templates.update(service.domain, "a", { text_body: "By hand" });
    };
    const next = [local("a", content("a", { subject: "New" }))];
    expect((await sync(next)).outcomes).toMatchObject([{ result: "applied", touched: ["text_body"] }]);
    gateway.before = undefined;
    expect((await sync(next)).plan.held).toMatchObject([{ kind: "drifted", name: "a" }]);
  });

  testOnce("reports that its writes were overwritten by another concurrent sync", async () => {
    const service = await startLocalService();
    const gateway = await startGateway(service);
    const ours = await machine({ service: { ...service, url: gateway.url }, version });
    const theirs = await machine({ service, version });
    await ours.sync(all);
    const plan = await ours.plan(changed);
    // The other one has read before our first write, and writes a moment later.
    const others = names.slice(1, 3).map((name) => local(name, content(`${name} of another commit`)));
    const their = await theirs.plan(others);
    let writes = 0;
    gateway.before = async (method) => {
      if (method === "PUT") writes += 1;
      if (writes === all.length && method === "GET") {
        gateway.before = undefined;
        for (const { name, content: its } of others)
          await theirs.client.templates.update(service.domain, name, {
            ...its,
            description: writeMarker(its.description, markerOf(their.plan, name)),
          });
        await theirs.client.templates.delete(service.domain, "d");
      }
    };
    const { outcomes } = await ours.apply(plan);
    expect(inWords(outcomes)).toEqual([
      "applied update a",
      "overtaken update b",
      "overtaken update c",
      "overtaken update d",
    ]);
    expect(outcomes[1]).toMatchObject({ template: { subject: "b of another commit" } });
    expect(outcomes[3]).not.toHaveProperty("template");
    expect(inWords((await ours.sync(changed)).outcomes)).toEqual([
      "applied create d",
      "applied update b",
      "applied update c",
    ]);
  });

  testOnce("checks nothing at the end if nothing was applied", async () => {
    const { sync, plan, apply, client, domain, counts } = await start();
    await sync(all);
    const planned = await plan(changed);
    for (const name of names) await client.templates.update(domain, name, { subject: "By hand" });
    const lists = counts.get("GET /domains/:domain/templates") ?? 0;
    const pauses: number[] = [];
    const wait = async (milliseconds: number) => void pauses.push(milliseconds);
    const { outcomes } = await apply(planned, { wait });
    expect(outcomes.map(({ result }) => result)).toEqual(names.map(() => "moved"));
    expect(pauses).toEqual([]);
    expect((counts.get("GET /domains/:domain/templates") ?? 0) - lists).toBeLessThanOrEqual(names.length);
  });

  testOnce("reports what was deleted and exists again", async () => {
    const service = await startLocalService();
    const gateway = await startGateway(service);
    const ours = await machine({ service: { ...service, url: gateway.url }, version });
    const { client } = await machine({ service, version });
    await ours.sync(all);
    const plan = await ours.plan(all.slice(0, 2), { prune: true });
    let deletes = 0;
    gateway.before = async (method) => {
      if (method === "DELETE") deletes += 1;
      if (deletes === 2 && method === "GET") {
        gateway.before = undefined;
        await client.templates.create(service.domain, { name: "c", ...content("by hand") });
      }
    };
    expect(inWords((await ours.apply(plan)).outcomes)).toEqual(["overtaken delete c", "applied delete d"]);
  });

  testOnce("keeps what was applied if the last check fails, and reports that it failed", async () => {
    const service = await startLocalService();
    const gateway = await startGateway(service);
    const ours = await machine({ service: { ...service, url: gateway.url }, version, retries: 0 });
    let writes = 0;
    gateway.before = async (method) => {
      if (method === "POST") writes += 1;
      if (writes === all.length) gateway.mishaps = Array.from({ length: 4 }, () => "500");
    };
    const { outcomes, unseen } = await ours.sync(all);
    expect(inWords(outcomes)).toEqual(names.map((name) => `applied create ${name}`));
    expect(unseen).toMatchObject({ status: 500 });
  });

  testOnce("learns by reading that a service stores something else than it answers", async () => {
    const service = await startLocalService();
    const gateway = await startGateway(service);
    gateway.alter = (body) => body.replaceAll("<p>", "<p >");
    gateway.echoes = true;
    const { sync } = await machine({ service: { ...service, url: gateway.url }, version, hasLock: false });
    for (const outcome of (await sync(all)).outcomes)
      expect(outcome).toMatchObject({ result: "applied", differs: [{ field: "html_body", at: 2 }] });
    expect(await sync(all)).toMatchObject({ plan: { steps: [], held: [] } });
    expect(inWords((await sync(changed)).outcomes)).toEqual(names.map((name) => `applied update ${name}`));
    expect(await sync(changed)).toMatchObject({ plan: { steps: [], held: [] } });
  });

  testOnce("learns the same if a lookup after a lost answer revealed it for only one template", async () => {
    const service = await startLocalService();
    const gateway = await startGateway(service);
    gateway.alter = (body) => body.replaceAll("<p>", "<p >");
    gateway.echoes = true;
    const { sync } = await machine({ service: { ...service, url: gateway.url }, version, hasLock: false });
    const longest = [local("a", content("a", { text_body: "a".repeat(1000) })), ...all.slice(1)];
    gateway.mishaps = [undefined, "cut after"];
    expect((await sync(longest)).outcomes.filter(({ result }) => result === "applied")).toHaveLength(4);
    expect(await sync(longest)).toMatchObject({ plan: { steps: [], held: [] } });
  });

  testOnce("learns the same from a single template, whether the service changes punctuation or words", async () => {
    const service = await startLocalService();
    const gateway = await startGateway(service);
    const { sync } = await machine({ service: { ...service, url: gateway.url }, version, hasLock: false });
    gateway.echoes = true;
    const learnt = { result: "applied", differs: [{ field: "html_body" }] };

    gateway.alter = (body) => body.replaceAll("'", "&#39;");
    expect((await sync([local("a", content("It's a"))])).outcomes).toMatchObject([{ result: "applied" }]);
    expect(await sync([local("a", content("It's a"))])).toMatchObject({ plan: { steps: [], held: [] } });

    // If words differ too, an earlier run must have seen that this service changes them.
    gateway.alter = (body) => body.replaceAll("<p>", "<p data-kept>");
    expect((await sync([local("a", content("It's new"))])).outcomes).toMatchObject([learnt]);
    expect(await sync([local("a", content("It's new"))])).toMatchObject({ plan: { steps: [], held: [] } });
  });

  testOnce("keeps an edit an edit that is made while the service's change is recorded", async () => {
    const service = await startLocalService();
    const gateway = await startGateway(service);
    const { sync } = await machine({ service: { ...service, url: gateway.url }, version });
    const { client } = await machine({ service, version });
    gateway.alter = (body) => body.replaceAll("<p>", "<p >");
    gateway.before = async (method) => {
      if (method === "PUT") await client.templates.update(service.domain, "a", { subject: "By hand" });
    };
    await sync([local("a")]);
    gateway.before = undefined;
    expect((await sync([local("a")])).plan.held).toMatchObject([{ kind: "drifted", name: "a" }]);
  });

  testOnce("attributes to the service what stays the same however often it is overwritten", async () => {
    const service = await startLocalService();
    const gateway = await startGateway(service);
    const { sync } = await machine({ service: { ...service, url: gateway.url }, version, hasLock: false });
    gateway.echoes = true;
    gateway.alter = (body) => body.replaceAll("<p>", "<p data-kept>");
    const one = [local("a")];
    expect(inWords((await sync(one)).outcomes)).toEqual(["overtaken create a"]);
    expect((await sync(one)).plan.held).toMatchObject([{ kind: "drifted", name: "a" }]);
    expect(inWords((await sync(one, { overwriteDrift: true })).outcomes)).toEqual(["applied update a"]);
    expect(await sync(one)).toMatchObject({ plan: { steps: [], held: [] } });
  });

  testOnce("does not attribute another sync's write in the same second to the service, without markers", async () => {
    const service = await startLocalService();
    const gateway = await startGateway(service);
    const ours = await machine({ service: { ...service, url: gateway.url }, version, markerText: undefined });
    const { client } = await machine({ service, version });
    let writes = 0;
    gateway.before = async (method) => {
      if (method === "POST") writes += 1;
      if (writes < all.length || method !== "GET") return;
      gateway.before = undefined;
      for (const { name, content: its } of changed) await client.templates.update(service.domain, name, its);
    };
    expect(inWords((await ours.sync(all)).outcomes)).toEqual(names.map((name) => `overtaken create ${name}`));
  });

  testOnce("reports a manual edit in the second of the only write", async () => {
    const service = await startLocalService();
    const gateway = await startGateway(service);
    const { sync } = await machine({ service: { ...service, url: gateway.url }, version });
    const { client } = await machine({ service, version });
    let isWritten = false;
    gateway.before = async (method) => {
      if (method === "POST") isWritten = true;
      else if (isWritten) await client.templates.update(service.domain, "a", { html_body: "<p>By hand</p>" });
    };
    expect(inWords((await sync([local("a")])).outcomes)).toEqual(["overtaken create a"]);
  });

  testOnce("emits events for each operation", async () => {
    const { service, sync } = await start();
    const events: string[] = [];
    fault(service, { kind: "refuse", endpoint: "templates.create", status: 429, retryAfter: 7 });
    const onEvent = (event: SyncEvent) => {
      if (event.kind === "waiting") events.push(`waiting ${event.seconds} ${event.error?.method}`);
      else if ("operation" in event) events.push(`${event.kind} ${event.operation.name} ${event.done}/${event.total}`);
    };
    await sync([local("a")], {}, { onEvent });
    expect(events).toEqual(["started a 0/1", "waiting 7 POST", "applied a 1/1"]);
  });
});

test("refuses a plan with an obstacle before the first write", async () => {
  const service = await startLocalService();
  const { sync, client } = await machine({ service });
  await expect(sync([local("a", content("a", { subject: "s".repeat(251) })), local("b")])).rejects.toBeInstanceOf(
    PlanError,
  );
  expect(await client.templates.list(service.domain)).toEqual([]);
});

function markerOf(plan: Plan, name: string) {
  const operation = operationsOf(plan).find((each) => each.name === name);
  return operation === undefined || operation.kind === "delete" ? undefined : operation.target.marker;
}

type DistributiveOmit<Union, Key extends PropertyKey> = Union extends unknown ? Omit<Union, Key> : never;

function total(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

function standing(): () => number {
  const at = performance.now();
  return () => at;
}

/** A clock of this machine that is ahead of the data that was read. */
function laterBy(milliseconds: number): () => number {
  return () => performance.now() + milliseconds;
}

function standingClock() {
  const now = Date.parse("2026-11-20T10:00:00Z");
  return { now: () => now, advance: () => undefined };
}
