// @ts-check
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createClient } from "../../dist/api/index.js";
import { frozenClock, startService } from "../../dist/service/index.js";
import { observeService } from "../../dist/sync/index.js";
import { createSyncer } from "./syncer.mjs";
import { createVirtualClock } from "./virtual-clock.mjs";

const START = Date.parse("2026-11-20T10:00:31.234Z");
/** Milliseconds after which no limit remembers a request, and no time of a template is young. */
const LONG = 120_000;

/**
 * What a sync took.
 *
 * @typedef {object} Taken
 * @property {number} requests
 * @property {number} refused With 429.
 * @property {number} seconds
 */

/**
 * Prepares an account of the local service as a scenario has it, which nobody else uses, and syncs to it once.
 *
 * @param {import("./scenarios.mjs").Scenario} scenario
 * @param {{ readonly plan: "free" | "paid", readonly version: "v3" | "v4" }} account
 * @returns {Promise<Taken>}
 */
export async function syncOnce({ before, now, lock, prune }, { plan, version }) {
  const folder = mkdtempSync(path.join(tmpdir(), "lettershop-bench-"));
  const templates = before.map(({ name, content }) => ({ name, ...content }));
  const service = await startService({
    data: ":memory:",
    port: 0,
    clock: frozenClock(START),
    seed: { plan, domains: [{ name: "example.test", templates }] },
  });
  const time = createVirtualClock(service.clock);
  const observer = observeService();
  const taken = { requests: 0, refused: 0 };
  const client = createClient({
    apiKey: service.apiKey,
    baseUrl: service.url,
    version,
    retries: 0,
    clock: time,
    onRequest(request) {
      observer.hooks.onRequest?.(request);
      time.begin();
    },
    onResponse(response) {
      observer.hooks.onResponse?.(response);
      time.end();
      if (response.status !== undefined) taken.requests += 1;
      if (response.status === 429) taken.refused += 1;
    },
  });
  const syncer = createSyncer({ client, domain: service.domain, folder, observer, time });
  const later = () => service.clock.advance(LONG);
  try {
    if (before.length > 0) {
      // The first marks what is there already; a later one has seen all of it, which makes the lock a proof.
      later();
      await time.run(() => syncer.sync(before));
      later();
      if (lock === "settled") await time.run(() => syncer.sync(before));
    }
    if (lock === "none") syncer.forget();
    later();
    Object.assign(taken, { requests: 0, refused: 0 });
    const startedAt = time.now();
    await time.run(() => syncer.sync(now, { prune }));
    return { ...taken, seconds: (time.now() - startedAt) / 1000 };
  } finally {
    await client.close();
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
