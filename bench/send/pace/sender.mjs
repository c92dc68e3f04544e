// @ts-check
// A process that makes requests within the rate limit of a shared file until stdin ends. Its argument is a `Sender` as JSON.
import { systemClock } from "../../../dist/send/clock.js";
import { createPace } from "../../../dist/send/pace/pace.js";
import { createSqlitePace, PACE_SCHEMA } from "../../../dist/send/store/sqlite-pace.js";
import { openStoreFile } from "../../../dist/send/store/sqlite-file.js";

/**
 * @typedef {object} Sender
 * @property {string} file The store.
 * @property {string} url
 * @property {number} limit
 * @property {number} windowMs
 * @property {number} requestMs
 * @property {number} atOnce The number of concurrent requests.
 */

/** @type {Sender} */
const { file, url, limit, windowMs, requestMs, atOnce } = JSON.parse(process.argv[2] ?? "");
const database = await openStoreFile(file, [PACE_SCHEMA]);
const pace = createPace({
  account: "crowd",
  store: createSqlitePace(database, systemClock),
  sendsPerMinute: limit,
  windowMs,
  clock: systemClock,
  publish: () => undefined,
});
const ending = new AbortController();
process.stdin.on("end", () => ending.abort()).resume();

async function sendOn() {
  while (!ending.signal.aborted) {
    const slot = await pace
      .acquire({ priority: "normal", maxWaitMs: Infinity, signal: ending.signal, requestMs })
      .catch(() => undefined);
    if (slot === undefined) return;
    if (slot.lapsed) {
      await slot.unused();
      continue;
    }
    try {
      const response = await fetch(url, { method: "POST", signal: AbortSignal.timeout(requestMs) });
      await response.arrayBuffer();
      await slot.answered({ status: response.status });
    } catch {
      await slot.lost();
    }
  }
}

await Promise.all(Array.from({ length: atOnce }, sendOn));
await pace.close();
database.close();
process.exit();
