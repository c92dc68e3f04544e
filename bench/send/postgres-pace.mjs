// @ts-check
/*
 * Twenty workers in four processes that share a Postgres of their own, with clocks that differ by hours, send to a service that
 * counts requests: how soon after a window a slot is used again, and whether the limit is exceeded. Takes minutes, regardless of
 * `--rounds`: node bench/send/postgres-pace.mjs [MINUTES].
 */
import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";
import { table, toResult } from "../measure/report.mjs";
import { mostInAWindow, runCrowd } from "./pace/crowd.mjs";

const LIMIT = 10;
const MINUTE = 60_000;
/** The burst of the first minute is spread over the next ones, to leave slots for urgent requests. */
const SPREAD_MINUTES = 3;

/** @param {{ readonly minutes?: number, readonly note: (text: string) => void }} options */
export async function benchPostgresPace({ minutes = 6, note }) {
  note(`postgres-pace: ${minutes} minutes`);
  /** @type {{ module: typeof import("../../test/postgres/server.js") }} */
  const { module } = await runnerImport(fileURLToPath(new URL("../../test/postgres/server.ts", import.meta.url)));
  const server = await module.PostgresServer.start();
  try {
    const arrivals = await runCrowd({
      database: server.url(),
      processes: 4,
      atOnce: 5,
      limit: LIMIT,
      windowMs: MINUTE,
      forMs: (minutes + 0.1) * MINUTE,
    });
    const [first = Number.NaN] = arrivals;
    const inOrder = arrivals.filter((at) => at >= first + SPREAD_MINUTES * MINUTE);
    const cycles = inOrder.slice(LIMIT).map((at, index) => at - (inOrder[index] ?? Number.NaN));
    return [
      toResult({
        name: "20 workers on one Postgres: average time from a request to the tenth after it",
        measured: [cycles.reduce((sum, cycle) => sum + cycle, 0) / cycles.length / 1000],
        reference: [MINUTE / 1000],
        baseline: "window",
        unit: "s",
        target: 1.01,
      }),
      toResult({
        name: "20 workers on one Postgres: most requests in any minute",
        measured: [mostInAWindow(arrivals, MINUTE)],
        reference: [LIMIT],
        baseline: "limit",
        unit: "requests",
        target: 1,
      }),
    ];
  } finally {
    await server.remove();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  console.log(
    table("postgres-pace", await benchPostgresPace({ minutes: Number(process.argv[2] ?? 6), note: console.error })),
  );
