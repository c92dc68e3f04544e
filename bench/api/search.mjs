// @ts-check
/*
 * Searches a log of 100,000 entries, one search after another, each with a typo: the 95th percentile of each round, compared
 * with 50 ms. Every entry contains the word "receipt".
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { performance } from "node:perf_hooks";
import { Pool } from "undici";
import { toResult } from "../measure/report.mjs";
import { fillLog } from "./log-entries.mjs";
import { startServer } from "./process.mjs";
import { get } from "./requests.mjs";

const ENTRIES = 100_000;
const SEARCHES = 100;
const TARGET_MS = 50;

const words = "receipt invoice order password change parcel commande ada grace dijkstra hopper kernighan".split(" ");

/** @param {{ readonly rounds: number, readonly note: (text: string) => void }} options */
export async function benchSearch({ rounds, note }) {
  const data = mkdtempSync(path.join(tmpdir(), "lettershop-bench-"));
  try {
    note(`search: filling the log with ${ENTRIES} entries`);
    await fillLog({ data, count: ENTRIES });
    const server = await startServer(new URL("./service.mjs", import.meta.url), data);
    const pool = new Pool(server.url);
    /** @type {number[]} */
    const measured = [];
    for (let round = 0; round <= rounds; round += 1) {
      note(round === 0 ? "search: warming up" : `search: round ${round} of ${rounds}`);
      const times = [];
      for (let search = 0; search < SEARCHES; search += 1) times.push(await timeOfSearch(pool, mistyped(search)));
      if (round > 0) measured.push(times.sort((a, b) => a - b)[Math.ceil(SEARCHES * 0.95) - 1] ?? Number.NaN);
    }
    await pool.close();
    await server.close();
    const reference = measured.map(() => TARGET_MS);
    const name = `service: a search in ${ENTRIES} entries, 95th percentile`;
    return [toResult({ name, measured, reference, baseline: "at most", unit: "ms", target: 1 })];
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
}

/** Milliseconds. @param {Pool} pool @param {string} query */
async function timeOfSearch(pool, query) {
  const start = performance.now();
  await get(pool, `/v4/domains/example.test/logs/search?query=${encodeURIComponent(query)}`);
  return performance.now() - start;
}

/** A word with one letter wrong, missing, extra or swapped. @param {number} number */
function mistyped(number) {
  const word = words[number % words.length] ?? "";
  if (word.length < 4) return word;
  const at = 1 + (number % (word.length - 2));
  const [before, letter, next, after] = [word.slice(0, at), word[at], word[at + 1], word.slice(at + 2)];
  const changes = [`x${next}`, next, `x${letter}${next}`, `${next}${letter}`];
  return `${before}${changes[number % changes.length]}${after}`;
}
