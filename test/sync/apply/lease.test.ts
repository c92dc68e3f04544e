import { once } from "node:events";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { Client } from "../../../src/api/client.js";
import { writeMarker } from "../../../src/text/marker.js";
import type { SyncEvent } from "../../../src/sync/events.js";
import { RunLostError } from "../../../src/sync/apply/run-lock.js";
import { takeLease } from "../../../src/sync/apply/lease.js";
import { type Mishap, mishaps, startGateway } from "./gateway.js";
import { content, inWords, local, type Machine, machine, MARKER, startLocalService, versions } from "./machine.js";

const names = ["a", "b", "c"];
const commit = (words: string) => names.map((name) => local(name, content(`${name} ${words}`)));
const KILLED_MS = 91_000;

describe.each(versions)("over version %s", (version) => {
  async function start(options: Parameters<typeof startLocalService>[0] = {}) {
    const service = await startLocalService(options);
    const gateway = await startGateway(service);
    const leased = { version, isLeased: true, retries: 0 } as const;
    const ours = await machine({ ...leased, service: { ...service, url: gateway.url } });
    const theirs = await machine({ ...leased, service });
    await theirs.sync(commit("at first"));
    const { client } = theirs;
    const stored = async () => client.templates.list(service.domain);
    return { service, gateway, ours, theirs, client, stored };
  }

  /** Stops our run at one of its requests while theirs continues to one of its own, which waits for the end of ours. */
  const interleavings = (version === "v4" ? [0, 4, 5, 6, 7, 9] : [4, 6]).flatMap((at) =>
    [0, 4, 5, 6, 7, Infinity].map((to) => [at, to] as const),
  );

  test.each(interleavings)(
    "leaves one commit's templates after two runs: at request %d, theirs runs to %d",
    async (at, to) => {
      const { service, gateway, ours, client, stored } = await start();
      const other = await startGateway(service);
      const theirs = await machine({ version, isLeased: true, service: { ...service, url: other.url } });
      const ended = signalled();
      const paused = signalled();
      let their: Promise<string> | undefined;
      let [ourRequests, theirRequests] = [0, 0];
      other.before = async () => {
        if (theirRequests++ !== to) return;
        paused.resolve();
        await ended.promise;
      };
      gateway.before = async () => {
        if (ourRequests++ !== at) return;
        their = endOf(theirs, "theirs");
        await Promise.race([their, paused.promise]);
      };
      const our = await endOf(ours, "ours");
      ended.resolve();
      expect([our, await their]).toContain("applied");
      expect(await subjects(client, service.domain)).toHaveLength(1);
      expect(await stored()).toHaveLength(names.length);

      // The stopped run can continue.
      await expect(endOf(ours, "ours")).resolves.toBe("applied");
      expect(await subjects(client, service.domain)).toEqual(["ours"]);
    },
  );

  /** Five machines with different commits: in the end, the service has one of them. */
  async function applyFiveAtOnce({
    service,
    client,
  }: Pick<Awaited<ReturnType<typeof start>>, "service" | "client">): Promise<void> {
    const machines = await Promise.all(
      Array.from({ length: 5 }, async () => machine({ version, isLeased: true, service })),
    );
    const ends = await Promise.all(machines.map(async (each, index) => endOf(each, `commit ${index}`)));
    expect(ends).toContain("applied");
    expect(await subjects(client, service.domain)).toHaveLength(1);
  }

  test("lets one of many concurrent runs write at a time", async () => {
    const { service, client, stored } = await start();
    await applyFiveAtOnce({ service, client });
    expect(await stored()).toHaveLength(names.length);
  });

  test("expires a killed run's lease by the service's clock, and lets one of many runs take it over", async () => {
    const { service, gateway, ours, theirs, client, stored } = await start();
    await kill(ours, gateway);
    expect(await stored()).toHaveLength(names.length + 1);
    await expect(theirs.sync(commit("theirs"))).rejects.toMatchObject({ code: "run_held" });
    service.clock.advance(KILLED_MS);
    await applyFiveAtOnce({ service, client });
    expect(await stored()).toHaveLength(names.length);
  });

  test("takes over a lease that has not changed for long while waiting, whatever the service's clock says", async () => {
    const { service, gateway, ours, theirs, client } = await start({ clock: standingClock() });
    await kill(ours, gateway);
    let now = 0;
    const wait = async () => void (now += 10_000);
    await theirs.sync(commit("theirs"), {}, { isWaiting: true, wait, now: () => now });
    expect(await subjects(client, service.domain)).toEqual(["theirs"]);
    expect(now).toBeGreaterThan(KILLED_MS - 10_000);
  });

  test("takes a killed run's lease over at once in the next run from its folder", async () => {
    const { gateway, ours, stored } = await start();
    await kill(ours, gateway);
    gateway.isShut = false;
    expect((await ours.sync(commit("ours"))).outcomes.map(({ result }) => result)).toEqual(names.map(() => "applied"));
    expect(await stored()).toHaveLength(names.length);
  });

  /** Delays ours at its first overwrite until theirs has met it; returns how theirs ended. */
  async function meet({ ours, theirs, gateway }: Awaited<ReturnType<typeof start>>, our: Terms, their: Terms) {
    const planned = await theirs.plan(commit("theirs"));
    const ended = signalled();
    const events: string[] = [];
    let meeting: Promise<unknown> | undefined;
    gateway.before = async (method) => {
      if (method !== "PUT" || meeting !== undefined) return;
      const waiting = signalled();
      const wait = async () => {
        waiting.resolve();
        await ended.promise;
      };
      const onEvent = ({ kind }: SyncEvent) => void events.push(kind);
      meeting = theirs.apply(planned, { ...their, wait, onEvent }).catch((error: unknown) => error);
      await Promise.race([meeting, waiting.promise]);
    };
    const { outcomes } = await ours.sync(commit("ours"), {}, our);
    ended.resolve();
    expect(new Set(outcomes.map(({ result }) => result))).toEqual(new Set(["applied"]));
    return { error: await meeting, events };
  }

  type Terms = NonNullable<Parameters<Machine["apply"]>[1]>;
  const waited = { error: { code: "plan_stale", isToRetry: true }, events: ["leased"] };
  const refused = { error: { code: "run_held" }, events: [] };

  test.each<[string, Terms, Terms, object]>([
    ["waits if told to", {}, { isWaiting: true }, waited],
    ["waits for an older commit", { commitTime: 1 }, { commitTime: 2 }, waited],
    ["stops for a newer commit", { commitTime: 2 }, { commitTime: 1, isWaiting: true }, refused],
    ["stops for the same commit", { commitTime: 1 }, { commitTime: 1 }, refused],
    ["stops for an unknown commit", {}, { commitTime: 1 }, refused],
  ])("a run that meets another one %s, and never writes an outdated plan", async (_, our, their, expected) => {
    const started = await start();
    expect(await meet(started, our, their)).toMatchObject(expected);
    expect(await subjects(started.client, started.service.domain)).toEqual(["ours"]);
  });

  test("writes nothing more once a run's lease was taken over", async () => {
    const { service, gateway, ours, client, stored } = await start();
    gateway.before = async (method) => {
      if (method !== "PUT") return;
      gateway.before = undefined;
      const lease = (await stored()).find(({ name }) => name.startsWith("lettershop-lease-"));
      const description = "[0123456789ab]";
      await client.templates.update(service.domain, lease?.name ?? "", {
        name: `${lease?.name}-0123456789ab`,
        description,
      });
    };
    const { outcomes, stopped } = await ours.sync(commit("ours"));
    expect(outcomes.map(({ result }) => result)).toEqual(["applied", "notAttempted", "notAttempted"]);
    expect(stopped).toBeInstanceOf(RunLostError);
    expect((await stored()).map(({ name }) => name)).toContainEqual(
      expect.stringMatching(/^lettershop-lease-.*-0123456789ab$/),
    );
  });

  test("renews the lease of a long run, and notices when another run has taken it over", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const { service, client, stored } = await start();
    const stateOfLease = async () => (await stored()).find(({ name }) => name.startsWith("lettershop-lease-"));
    const { lease } = await takeLease({
      client,
      domain: service.domain,
      scope: MARKER,
      planned: { summaries: new Map(), leases: [] },
      creates: 0,
      isNeeded: true,
      isWaiting: false,
      run: { leftLease: async () => undefined, noteLease: async () => undefined },
      reached: () => undefined,
    });
    const taken = await stateOfLease();
    service.clock.advance(30_000);
    vi.advanceTimersByTime(30_000);
    await expect.poll(async () => (await stateOfLease())?.updated_at).not.toBe(taken?.updated_at);

    const name = `${taken?.name}-0123456789ab`;
    await client.templates.update(service.domain, taken?.name ?? "", { name, description: "[0123456789ab]" });
    const lost = once(lease?.lost ?? new EventTarget(), "abort");
    vi.advanceTimersByTime(30_000);
    await lost;
    await lease?.release();
    expect(await stateOfLease()).toMatchObject({ name });
  });

  test("stops only the edited template for a manual edit since the plan was made", async () => {
    const { service, ours, client } = await start();
    const planned = await ours.plan(commit("ours"));
    service.clock.advance(5_000);
    await client.templates.update(service.domain, "b", { subject: "By hand" });
    const { outcomes } = await ours.apply(planned);
    expect(inWords(outcomes)).toEqual(["applied update a", "moved update b", "applied update c"]);
  });

  test("refuses a plan from before another run that pruned", async () => {
    const { ours, theirs } = await start();
    const planned = await ours.plan(commit("ours"));
    await theirs.sync(commit("at first").slice(1), { prune: true });
    await expect(ours.apply(planned)).rejects.toMatchObject({ code: "plan_stale" });
  });

  test.each(mishaps)("takes a lease whose request meets %s, and deletes it in the end", async (mishap) => {
    const { service, gateway, ours, client, stored } = await start();
    const planned = await ours.plan(commit("ours"));
    gateway.mishaps = [mishap];
    expect(await ours.apply(planned)).not.toHaveProperty("unleased");
    expect(await subjects(client, service.domain)).toEqual(["ours"]);
    expect(await stored()).toHaveLength(names.length);
  });

  test.each<Mishap>(["500", "cut", "cut after"])("repeats a deletion of the lease that meets %s", async (mishap) => {
    const { gateway, ours, stored } = await start();
    gateway.before = async (method) => {
      if (method === "DELETE") throw new Error("The lease was not to be deleted yet.");
    };
    gateway.before = undefined;
    const planned = await ours.plan(commit("ours"));
    let isDeleting = false;
    const { templates } = ours.client;
    const remove = templates.delete.bind(templates);
    templates.delete = async (...args) => {
      if (!isDeleting) gateway.mishaps = [mishap];
      isDeleting = true;
      return remove(...args);
    };
    await ours.apply(planned);
    expect(isDeleting).toBe(true);
    expect(await stored()).toHaveLength(names.length);
  });

  test("is not affected by a service that changes the lease's description", async () => {
    const { gateway, ours, client, service, stored } = await start();
    gateway.alter = (body) => (body.includes("lettershop-lease") ? body.replace(/\[[^\]]*\]/, "") : body);
    expect(await ours.sync(commit("ours"))).not.toHaveProperty("stopped");
    expect(await subjects(client, service.domain)).toEqual(["ours"]);
    expect(await stored()).toHaveLength(names.length);
  });

  test("leaves no lease when a run is interrupted", async () => {
    const { gateway, ours, stored } = await start();
    const controller = new AbortController();
    gateway.before = async (method) => {
      if (method === "PUT") controller.abort();
    };
    const { outcomes } = await ours.sync(commit("ours"), {}, { signal: controller.signal });
    expect(outcomes.map(({ result }) => result)).toEqual(["applied", "notAttempted", "notAttempted"]);
    expect(await stored()).toHaveLength(names.length);
  });

  test.each(["post", "list"])("leaves no lease when a run is interrupted while it takes it (%s)", async (moment) => {
    const { gateway, ours, stored } = await start();
    const planned = await ours.plan(commit("ours"));
    const controller = new AbortController();
    gateway.before = async (method) => {
      if (method === (moment === "post" ? "POST" : "GET")) controller.abort();
    };
    const { outcomes } = await ours.apply(planned, { signal: controller.signal });
    expect(new Set(outcomes.map(({ result }) => result))).toEqual(new Set(["notAttempted"]));
    expect(await stored()).toHaveLength(names.length);
  });

  test("takes no lease for a single change, needs three requests, and respects another run's lease", async () => {
    const { service, gateway, ours, theirs } = await start();
    service.clock.advance(5_000);
    await theirs.sync(commit("at first"));
    const one = [...commit("at first").slice(1), local("a", content("a alone"))];
    const before = [...theirs.counts.values()].reduce((sum, count) => sum + count, 0);
    await theirs.sync(one);
    expect([...theirs.counts.values()].reduce((sum, count) => sum + count, 0) - before).toBe(3);
    await kill(ours, gateway);
    await expect(theirs.sync([...one.slice(0, 2), local("a", content("a again"))])).rejects.toMatchObject({
      code: "run_held",
    });
  });

  test("takes no lease for a plan without changes", async () => {
    const { theirs } = await start();
    const posts = theirs.counts.get("POST /domains/:domain/templates");
    await theirs.sync(commit("at first"));
    expect(theirs.counts.get("POST /domains/:domain/templates")).toBe(posts);
  });

  test("never includes a lease in a plan or prunes it", async () => {
    const { service, gateway, ours, theirs, client } = await start();
    await kill(ours, gateway);
    const { plan, remote } = await theirs.plan([], { prune: true });
    expect([plan.unmanaged, [...remote.summaries.keys()].toSorted()]).toEqual([[], names]);
    expect(JSON.stringify(plan)).not.toContain("lettershop-lease");
    expect(await client.templates.list(service.domain)).toHaveLength(names.length + 1);
  });

  test("is not affected by another project's run", async () => {
    const { service, gateway, ours } = await start();
    await kill(ours, gateway);
    const another = await machine({ service, version, isLeased: true, markerText: "lettershop another" });
    const its = ["x", "y"].map((name) => local(name));
    expect(inWords((await another.sync(its)).outcomes)).toEqual(["applied create x", "applied create y"]);
  });

  test("gets no lease in a domain without room, and reports that", async () => {
    const templates = Array.from({ length: 197 }, (_, i) => ({ name: `theirs-${i}` }));
    const { ours, stored } = await start({ seed: { domains: [{ name: "example.test", templates }] } });
    const { outcomes, unleased } = await ours.sync(commit("ours"));
    expect(inWords(outcomes)).toEqual(names.map((name) => `applied update ${name}`));
    expect(unleased).toContain("no room");
    expect(await stored()).toHaveLength(200);
  });

  test("does not count a killed run's lease as a used place", async () => {
    const templates = Array.from({ length: 194 }, (_, i) => ({ name: `theirs-${i}` }));
    const { service, gateway, ours, theirs, stored } = await start({
      seed: { domains: [{ name: "example.test", templates }] },
    });
    await kill(ours, gateway);
    service.clock.advance(KILLED_MS);
    const more = [...commit("at first"), local("d"), local("e"), local("f")];
    const { outcomes, unleased } = await theirs.sync(more);
    expect(outcomes.map(({ result }) => result)).toEqual(["applied", "applied", "applied"]);
    expect(unleased).toContain("no room");
    expect(await stored()).toHaveLength(200);
  });

  test("gets no lease with a key that may not create templates, and reports that", async () => {
    const { service, ours } = await start();
    service.faults.add({ kind: "refuse", endpoint: `${version} templates.create`, status: 403, times: 5 });
    const { outcomes, unleased } = await ours.sync(commit("ours"));
    expect(inWords(outcomes)).toEqual(names.map((name) => `applied update ${name}`));
    expect(unleased).toEqual(expect.any(String));
  });

  test("refuses a plan from before another run without markers too", async () => {
    const service = await startLocalService();
    const without = { service, version, isLeased: true, markerText: undefined } as const;
    const [ours, theirs] = [await machine(without), await machine(without)];
    await ours.sync(commit("at first"));
    const planned = await ours.plan(commit("ours"));
    service.clock.advance(5_000);
    for (const { name, content: its } of commit("theirs"))
      await theirs.client.templates.update(service.domain, name, {
        ...its,
        description: writeMarker(its.description, undefined),
      });
    await expect(ours.apply(planned)).rejects.toMatchObject({ code: "plan_stale" });
  });
});

/** A promise that the test resolves. */
function signalled(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}

function standingClock() {
  const now = Date.parse("2026-11-20T10:00:00Z");
  return { now: () => now, advance: () => undefined };
}

/** How a run of a commit ended. */
async function endOf(of: Machine, words: string): Promise<string> {
  try {
    const { outcomes } = await of.sync(commit(words), {}, { isWaiting: false });
    const results = new Set(outcomes.map(({ result }) => result));
    return [...results].join(", ") || "applied";
  } catch (error) {
    return error instanceof Error && "code" in error ? String(error.code) : String(error);
  }
}

/** Ends a run's connection in the middle of its writes, as if its process had died. */
async function kill(of: Machine, gateway: Awaited<ReturnType<typeof startGateway>>): Promise<void> {
  gateway.before = async (method) => {
    if (method === "PUT") gateway.isShut = true;
    if (method === "PUT") throw new Error("Killed.");
  };
  await of.sync(commit("killed")).catch(() => undefined);
  gateway.before = undefined;
}

/** The commits whose templates the service has. */
async function subjects({ templates }: Client, domain: string): Promise<string[]> {
  const all = await templates.list(domain);
  return [...new Set(all.filter(({ name }) => names.includes(name)).map(({ subject }) => subject.slice(2)))];
}
