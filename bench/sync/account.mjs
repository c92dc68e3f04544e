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
/** After this time, no request counts towards a limit, and no template counts as recently updated. */
const SETTLED_MS = 120_000;

/**
 * What a sync used.
 *
 * @typedef {object} Usage
 * @property {number} requests
 * @property {number} refused Requests with a 429 response.
 * @property {number} seconds
 */

/**
 * Prepares an account of the local service for a scenario, which nobody else uses, and syncs to it once.
 *
 * @param {import("./scenarios.mjs").Scenario} scenario
 * @param {{ readonly plan: "free" | "paid", readonly version: "v3" | "v4" }} account
 * @returns {Promise<Usage>}
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
  const used = { requests: 0, refused: 0 };
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
      if (response.status !== undefined) used.requests += 1;
      if (response.status === 429) used.refused += 1;
    },
  });
  const syncer = createSyncer({ client, domain: service.domain, folder, observer, time });
  const settle = () => service.clock.advance(SETTLED_MS);
  try {
    if (before.length > 0) {
      // The first sync adds markers to the existing templates. A later one has seen all of them, so its lock is proof.
      settle();
      await time.run(() => syncer.sync(before));
      settle();
      if (lock === "settled") await time.run(() => syncer.sync(before));
    }
    if (lock === "none") syncer.forget();
    settle();
    Object.assign(used, { requests: 0, refused: 0 });
    const startedAt = time.now();
    await time.run(() => syncer.sync(now, { prune }));
    return { ...used, seconds: (time.now() - startedAt) / 1000 };
  } finally {
    await client.close();
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
