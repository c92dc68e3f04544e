// @ts-check
/*
 * Eight processes that share one file, in real time, sending to a service that counts requests: how much of the limit is used,
 * and whether it is exceeded. Takes minutes, regardless of `--rounds`: node bench/send/pace.mjs [MINUTES].
 */
import { fileURLToPath } from "node:url";
import { table, toResult } from "../measure/report.mjs";
import { mostInAWindow, runCrowd } from "./pace/crowd.mjs";

const LIMIT = 10;
const MINUTE = 60_000;

/** @param {{ readonly minutes?: number, readonly note: (text: string) => void }} options */
export async function benchPace({ minutes = 5, note }) {
  note(`pace: ${minutes} minutes`);
  const arrivals = await runCrowd({ processes: 8, limit: LIMIT, windowMs: MINUTE, forMs: (minutes + 0.1) * MINUTE });
  const [first = Number.NaN] = arrivals;
  // The first minute begins with a burst.
  const counted = arrivals.filter((at) => at >= first + MINUTE && at < first + minutes * MINUTE).length;
  return [
    toResult({
      name: "8 processes sharing one file: average time per request",
      measured: [((minutes - 1) * 60) / counted],
      reference: [MINUTE / 1000 / LIMIT],
      baseline: "limit",
      unit: "s",
      target: 1.05,
    }),
    toResult({
      name: "8 processes sharing one file: most requests in any minute",
      measured: [mostInAWindow(arrivals, MINUTE)],
      reference: [LIMIT],
      baseline: "limit",
      unit: "requests",
      target: 1,
    }),
  ];
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  console.log(table("pace", await benchPace({ minutes: Number(process.argv[2] ?? 5), note: console.error })));
