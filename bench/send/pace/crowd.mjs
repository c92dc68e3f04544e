// @ts-check
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const HOUR_MS = 3_600_000;
const script = fileURLToPath(new URL("./sender.mjs", import.meta.url));

/**
 * @typedef {object} Crowd
 * @property {number} processes The number of processes, which share one store.
 * @property {string} [database] The connection string of a database with the store. Default: a file of its own. Then the
 *   processes are machines, whose clocks differ by up to two hours.
 * @property {number} limit
 * @property {number} windowMs
 * @property {number} forMs How long they send, counted from the first request.
 * @property {number} [requests] The number of requests after which they may stop earlier. Default: no limit.
 * @property {number} [atOnce] The number of concurrent requests of each process. Default 2.
 * @property {number} [latencyMs] The response time of the service. Default 0.
 * @property {number} [loses] Every nth request gets no response. Default 0: none.
 * @property {number} [kills] The number of processes that are killed and replaced during the run. Default 0.
 */

/**
 * Starts processes that send as fast as they are allowed to a service that counts requests.
 *
 * @param {Crowd} options
 * @returns {Promise<number[]>} The times at which requests arrived, in ms.
 */
export async function runCrowd(options) {
  const {
    processes,
    database,
    limit,
    windowMs,
    forMs,
    requests = Infinity,
    atOnce = 2,
    latencyMs = 0,
    loses = 0,
    kills = 0,
  } = options;
  /** @type {number[]} */
  const arrivals = [];
  const server = createServer((request, response) => {
    arrivals.push(performance.now());
    request.resume();
    if (loses === 0 || arrivals.length % loses !== 0) setTimeout(() => response.end("{}"), latencyMs);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  const url = `http://127.0.0.1:${address.port}`;
  const folder = await mkdtemp(join(tmpdir(), "lettershop-crowd-"));
  const sender = {
    store: database ?? join(folder, "store.db"),
    url,
    limit,
    windowMs,
    atOnce,
    requestMs: Math.max(2000, windowMs / 2),
  };
  let started = 0;
  const start = () => {
    const aheadMs = database === undefined ? 0 : ((started % 3) - 1) * HOUR_MS;
    started += 1;
    const argument = JSON.stringify({ ...sender, aheadMs });
    const child = spawn(process.execPath, [script, argument], { stdio: ["pipe", "ignore", "inherit"] });
    return { child, ended: once(child, "exit") };
  };
  const crowd = Array.from({ length: processes }, start);
  try {
    await Promise.race([once(server, "request"), ...crowd.map(({ ended }) => ended)]);
    const began = performance.now();
    /** Waits for a fraction of the time or of the requests. @param {number} part */
    const passed = async (part) => {
      while (performance.now() - began < forMs * part && arrivals.length < requests * part) await sleep(20);
    };
    for (let kill = 0; kill < kills; kill += 1) {
      await passed((kill + 1) / (kills + 1));
      crowd[kill]?.child.kill("SIGKILL");
      crowd.push(start());
    }
    await passed(1);
    for (const { child } of crowd) child.stdin.end();
    for (const [code, signal] of await Promise.all(crowd.map(({ ended }) => ended)))
      if (code !== 0 && signal !== "SIGKILL") throw new Error(`A sender ended with ${code ?? signal}.`);
    return arrivals;
  } finally {
    for (const { child } of crowd) child.kill("SIGKILL");
    server.close();
    server.closeAllConnections();
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * The highest number of requests in any window.
 *
 * @param {readonly number[]} arrivals
 * @param {number} windowMs
 */
export function mostInAWindow(arrivals, windowMs) {
  const inOrder = arrivals.toSorted((one, other) => one - other);
  let most = 0;
  let first = 0;
  for (const [last, arrival] of inOrder.entries()) {
    while (arrival - (inOrder[first] ?? 0) >= windowMs) first += 1;
    most = Math.max(most, last - first + 1);
  }
  return most;
}
