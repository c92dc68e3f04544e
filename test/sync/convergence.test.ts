import { rm } from "node:fs/promises";
import * as fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { createClient } from "../../src/api/client.js";
import type { StoredTemplate } from "../../src/api/contract/v4/templates.js";
import { contentHash } from "../../src/sync/content.js";
import type { Run } from "../../src/sync/index.js";
import { type Gateway, mishaps, startGateway } from "./apply/gateway.js";
import { repeated, same, savedIn, unsaved } from "./apply/traces.js";
import {
  content,
  local,
  machine,
  MARKER,
  startLocalService,
  storedHashes,
  temporaryFolder,
  versions,
} from "./apply/machine.js";

const long = process.env["MODE"] === "long";
const numRuns = long ? 400 : 3;
const names = ["a", "b", "c", "d", "e"] as const;

const version = fc.constantFrom("one", "two", "three");
const here = fc
  .uniqueArray(fc.record({ name: fc.constantFrom(...names), words: version }), { selector: ({ name }) => name })
  .map((templates) => templates.map(({ name, words }) => local(name, content(`${name} ${words}`))));

/** Templates that may have `renamedFrom`, as in chains and swaps. */
const renamed = fc
  .uniqueArray(
    fc.record({
      name: fc.constantFrom(...names),
      from: fc.option(fc.constantFrom(...names), { nil: undefined }),
      own: fc.constantFrom(...names),
      words: version,
    }),
    { selector: ({ name }) => name },
  )
  .map((templates) =>
    templates.map(({ name, from, own, words }) =>
      local(name, content(`${own} ${words}`), from === name ? undefined : from),
    ),
  );

const edits = fc.array(
  fc.record({ name: fc.constantFrom(...names, "theirs"), does: fc.constantFrom("edit", "delete", "create", "claim") }),
  { maxLength: 4 },
);
type Edits = typeof edits extends fc.Arbitrary<infer Value> ? Value : never;

const scenario = fc.record({
  before: here,
  edits,
  after: renamed,
  hasMarkers: fc.boolean(),
  lock: fc.constantFrom("present", "stale", "absent"),
  choices: fc.record({
    renames: fc.constantFrom("keep" as const, "in-place" as const),
    prune: fc.boolean(),
    overwriteDrift: fc.boolean(),
  }),
  mishaps: fc.array(fc.option(fc.constantFrom(...mishaps), { nil: undefined, freq: 2 }), { maxLength: 12 }),
  kills: fc.array(fc.nat({ max: 8 }), { maxLength: 2 }),
  pause: fc.constantFrom(0, 3_000),
});

test.each(versions)(
  "reaches the local state after runs that fail in any way, over version %s",
  async (api) => {
    const service = await startLocalService();
    const { domain } = service;
    const gateway = await startGateway(service);
    const others = createClient({ apiKey: service.apiKey, baseUrl: service.url, pacing: false });
    onTestFinished(() => others.close());

    await fc.assert(
      fc.asyncProperty(scenario, async (example) => {
        for (const { name } of await others.templates.list(domain)) await others.templates.delete(domain, name);
        gateway.mishaps = [];
        const folder = await temporaryFolder();
        const markerText = example.hasMarkers ? MARKER : undefined;
        const ours = await machine({
          service: { ...service, url: gateway.url },
          version: api,
          folder,
          markerText,
          retries: 0,
        });
        const { choices } = example;

        // The templates that were applied before, and the lock for the next runs.
        await ours.sync(example.before.slice(0, 2));
        const stale = new Map(ours.entries);
        await ours.sync(example.before);
        if (example.lock === "absent") ours.entries.clear();
        if (example.lock === "stale") {
          ours.entries.clear();
          for (const [name, entry] of stale) ours.entries.set(name, entry);
        }
        service.clock.advance(example.pause);
        const touched = await edit(others, domain, example.edits);
        const theirs = await statesOf(others, domain);
        service.clock.advance(example.pause);
        gateway.forget();

        gateway.mishaps = [...example.mishaps];
        for (const line of example.kills)
          await killed(gateway, line, (run) => ours.sync(example.after, choices, {}, run));
        for (let run = 0; run <= example.mishaps.length; run += 1)
          await ours.sync(example.after, choices).catch(() => undefined);
        gateway.mishaps = [];
        for (let run = 0; run < 3; run += 1) await ours.sync(example.after, choices);

        const last = await ours.sync(example.after, choices);
        expect(last.plan.steps).toEqual([]);
        const held = new Set(last.plan.held.map(({ name }) => name));
        const stored = await storedHashes({ client: others }, domain);
        for (const { name, content: its } of example.after)
          if (!held.has(name)) expect([name, stored.get(name)]).toEqual([name, contentHash(its)]);

        // Only what others have touched, or what has an unknown base, is held back.
        const mayBeHeld = (name: string) =>
          touched.has(name) ||
          example.after.some((template) => template.name === name && touched.has(template.renamedFrom ?? "")) ||
          (!example.hasMarkers && example.lock !== "present");
        if (choices.overwriteDrift) expect([...held]).toEqual([]);
        else expect([...held].filter((name) => !mayBeHeld(name))).toEqual([]);

        // What belongs to others is unchanged.
        const now = await statesOf(others, domain);
        const wanted = new Set(example.after.map(({ name }) => name));
        for (const [name, template] of theirs)
          if (held.has(name) && !choices.overwriteDrift && wanted.has(name)) expect(now.get(name)).toEqual(template);
        for (const name of last.plan.unmanaged) expect(now.get(name)).toEqual(theirs.get(name));
        if (theirs.has("theirs")) expect(now.get("theirs")).toEqual(theirs.get("theirs"));

        expect(repeated(gateway.writes)).toEqual([]);
        expect(await unsaved(gateway.writes, folder)).toEqual([]);
        await rm(folder, { recursive: true });
      }),
      { numRuns },
    );
  },
  600_000,
);

test.each(versions)(
  "notices or saves what another writer does between plan and apply, over version %s",
  async (api) => {
    const service = await startLocalService();
    const { domain } = service;
    const others = createClient({ apiKey: service.apiKey, baseUrl: service.url, pacing: false });
    onTestFinished(() => others.close());
    await fc.assert(
      fc.asyncProperty(
        here,
        edits,
        renamed,
        scenario,
        async (before, between, after, { hasMarkers, choices, pause }) => {
          for (const { name } of await others.templates.list(domain)) await others.templates.delete(domain, name);
          const folder = await temporaryFolder();
          const markerText = hasMarkers ? MARKER : undefined;
          const ours = await machine({ service, version: api, folder, markerText });
          await ours.sync(before);
          service.clock.advance(pause);
          const planned = await ours.plan(after, { ...choices, overwriteDrift: false });
          await edit(others, domain, between);
          const theirs = await statesOf(others, domain);
          await ours.apply(planned, { now: () => performance.now() + 3_000 });

          const now = await statesOf(others, domain);
          const saved = await savedIn(folder);
          for (const { name } of between) {
            const template = theirs.get(name);
            if (template === undefined || same(template, now.get(name))) continue;
            expect(saved).toContainEqual(template);
          }
          await rm(folder, { recursive: true });
        },
      ),
      { numRuns },
    );
  },
  600_000,
);

test.each(versions)(
  "never overwrites what was written before any other request, for few changes over version %s",
  async (api) => {
    const service = await startLocalService();
    const { domain } = service;
    const gateway = await startGateway(service);
    const others = createClient({ apiKey: service.apiKey, baseUrl: service.url, pacing: false });
    onTestFinished(() => others.close());
    const moment = fc.record({ request: fc.nat({ max: 12 }), name: fc.constantFrom(...names) });
    await fc.assert(
      fc.asyncProperty(
        here,
        renamed,
        scenario,
        moment,
        async (before, after, { hasMarkers, choices, pause }, { request, name }) => {
          gateway.before = undefined;
          for (const template of await others.templates.list(domain))
            await others.templates.delete(domain, template.name);
          const folder = await temporaryFolder();
          const markerText = hasMarkers ? MARKER : undefined;
          const ours = await machine({ service: { ...service, url: gateway.url }, version: api, folder, markerText });
          await ours.sync(before);
          service.clock.advance(pause);

          let requests = 0;
          let theirs: StoredTemplate | undefined;
          gateway.before = async (method, path) => {
            // Nobody can notice what happens between the last read and the write itself.
            if (requests++ < request || theirs !== undefined || (method !== "GET" && path.endsWith(`/${name}`))) return;
            theirs = await others.templates
              .update(domain, name, { html_body: "<p>By hand</p>" })
              .catch(() => undefined);
          };
          await ours.sync(after, choices);
          gateway.before = undefined;
          if (theirs !== undefined && !same(theirs, (await statesOf(others, domain)).get(name)))
            expect(await savedIn(folder)).toContainEqual(theirs);
          await rm(folder, { recursive: true });
        },
      ),
      { numRuns: long ? 2 * numRuns : numRuns },
    );
  },
  600_000,
);

type Others = ReturnType<typeof createClient>;

/** Someone else's edits; returns the names that they changed. */
async function edit({ templates }: Others, domain: string, what: Edits): Promise<Set<string>> {
  const touched = new Set<string>();
  for (const [i, { name, does }] of what.entries()) {
    const there = new Set((await templates.list(domain)).map((template) => template.name));
    if (does === "create" ? there.has(name) : !there.has(name)) continue;
    touched.add(name);
    if (does === "create") await templates.create(domain, { name, subject: `By hand ${i}` });
    else if (does === "delete") await templates.delete(domain, name);
    else if (does === "edit") await templates.update(domain, name, { html_body: `<p>By hand ${i}</p>` });
    else await templates.update(domain, name, { description: "Mine. [lettershop else u0Yw3kq_Zb.x8Kq2a]" });
  }
  return touched;
}

/** A run whose process ends at that line of its journal: nothing more reaches the disk or the service. */
async function killed(gateway: Gateway, line: number, sync: (wrap: (run: Run) => Run) => Promise<unknown>) {
  let lines = 0;
  const orDie = async (write: () => Promise<void>) => {
    if (gateway.isShut || (lines += 1) > line) {
      gateway.isShut = true;
      throw new Error("killed");
    }
    await write();
  };
  const wrap = (run: Run): Run => ({
    ...run,
    begin: async (operation) => orDie(() => run.begin(operation)),
    end: async (operation) => orDie(() => run.end(operation)),
    save: async (template) => {
      if (!gateway.isShut) await run.save(template);
    },
    settled: async () => orDie(() => run.settled()),
  });
  await sync(wrap).catch(() => undefined);
  gateway.isShut = false;
}

async function statesOf({ templates }: Others, domain: string): Promise<Map<string, StoredTemplate>> {
  const list = await templates.list(domain);
  return new Map(await Promise.all(list.map(async ({ name }) => [name, await templates.get(domain, name)] as const)));
}
