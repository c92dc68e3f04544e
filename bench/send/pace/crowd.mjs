// @ts-check
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const script = fileURLToPath(new URL("./sender.mjs", import.meta.url));

/**
 * @typedef {object} Crowd
 * @property {number} processes How many send at once, all over one file.
 * @property {number} limit
 * @property {number} windowMs
 * @property {number} forMs How long they send at most, from the first arrival on.
 * @property {number} [requests] After how many arrivals they may end before that. Default: none.
 * @property {number} [atOnce] How many requests of each wait at once. Default 2.
 * @property {number} [latencyMs] How long the service takes to answer. Default 0.
 * @property {number} [loses] Of so many requests one is never answered. Default: none.
 * @property {number} [kills] How many of the processes are killed at some time, each followed by another one. Default 0.
 */

/**
 * Processes that send as much as they may to a service that counts what arrives.
 *
 * @param {Crowd} options
 * @returns {Promise<number[]>} When the requests arrived, in milliseconds.
 */
export async function runCrowd(options) {
  const {
    processes,
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
    file: join(folder, "store.db"),
    url,
    limit,
    windowMs,
    atOnce,
    requestMs: Math.max(2000, windowMs / 2),
  };
  const start = () => {
    const child = spawn(process.execPath, [script, JSON.stringify(sender)], { stdio: ["pipe", "ignore", "inherit"] });
    return { child, ended: once(child, "exit") };
  };
  const crowd = Array.from({ length: processes }, start);
  try {
    await Promise.race([once(server, "request"), ...crowd.map(({ ended }) => ended)]);
    const began = performance.now();
    /** A part of the time, or of the requests. @param {number} part */
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
 * The most requests that any window saw.
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
