// @ts-check
// A process that makes requests within the rate limit of a shared store until stdin ends. Its argument is a `Sender` as JSON.
import { systemClock } from "../../../dist/send/clock.js";
import { createPace } from "../../../dist/send/pace/pace.js";
import { openMailStore } from "../../../dist/send/store/sqlite.js";
import { postgresStore } from "../../../dist/postgres/index.js";

/**
 * @typedef {object} Sender
 * @property {string} store A file, or a connection string.
 * @property {number} aheadMs By how much its clocks are ahead.
 * @property {string} url
 * @property {number} limit
 * @property {number} windowMs
 * @property {number} requestMs
 * @property {number} atOnce The number of concurrent requests.
 */

/** @type {Sender} */
const { store, aheadMs, url, limit, windowMs, requestMs, atOnce } = JSON.parse(process.argv[2] ?? "");
const [wall, monotonic] = [Date.now.bind(Date), process.hrtime.bigint.bind(process.hrtime)];
Date.now = () => wall() + aheadMs;
process.hrtime.bigint = () => monotonic() + BigInt(aheadMs) * 1_000_000n;

const opened = store.startsWith("postgres:")
  ? postgresStore({ connectionString: store })
  : await openMailStore(store, systemClock);
const pace = createPace({
  account: "crowd",
  store: opened.pace,
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
await opened.close();
process.exit();
