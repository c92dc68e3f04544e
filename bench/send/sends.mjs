// @ts-check
/*
 * A send through the mailer, without rate limits, compared with plain fetch and with two clients of well-known services: the
 * same receipt to the same bare server, one after another and concurrently.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { performance } from "node:perf_hooks";
import { startServer } from "../api/process.mjs";
import { timeOf } from "../api/time.mjs";
import { toResult } from "../measure/report.mjs";
import { clients } from "./clients.mjs";
import { compiledRegistry } from "./computed/compiled.mjs";

const TURNS = 10;
/** Sequential sends per turn. */
const CALLS = 100;

/** @typedef {import("./clients.mjs").Sender} Sender */

/** @param {{ readonly rounds: number, readonly note: (text: string) => void }} options */
export async function benchSends({ rounds, note }) {
  const server = await startServer(new URL("./bare.mjs", import.meta.url));
  const folder = mkdtempSync(path.join(tmpdir(), "lettershop-bench-"));
  const { lettershop, fetch, postmark, resend } = clients;
  /** @type {[name: string, sender: Sender, time: (sender: Sender) => Promise<number>][]} */
  const cases = [
    ["mailer", await lettershop(server.url), timeOfOne],
    ["fetch", await fetch(server.url), timeOfOne],
    ["postmark", await postmark(server.url), timeOfOne],
    ["resend", await resend(server.url), timeOfOne],
    ["mailer, stored", await lettershop(server.url, { store: path.join(folder, "mail.db") }), timeOfOne],
    ["mailer, computing", await lettershop(server.url, { registry: await compiledRegistry() }), timeOfOne],
    ["mailer, at once", await lettershop(server.url), timeOfMany],
    ["fetch, at once", await fetch(server.url), timeOfMany],
  ];
  /** @type {Record<string, number[]>} */
  const times = {};
  try {
    for (let round = 0; round <= rounds; round += 1) {
      note(round === 0 ? "sends: warming up" : `sends: round ${round} of ${rounds}`);
      for (let turn = 0; turn < (round === 0 ? 3 : 1) * TURNS; turn += 1) {
        // They take turns to go first, because the first one warms up the server for the others.
        for (const [name, sender, measure] of turn % 2 === 0 ? cases : cases.toReversed()) {
          const time = await measure(sender);
          if (round > 0) (times[name] ??= []).push(time);
        }
      }
    }
  } finally {
    await Promise.all(cases.map(([, sender]) => sender.close()));
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
  const rows = [
    { name: "a send", measured: "mailer", baseline: "fetch", target: 1.3 },
    { name: "a send", measured: "mailer", baseline: "postmark" },
    { name: "a send", measured: "mailer", baseline: "resend" },
    { name: "a send, with a store on disk", measured: "mailer, stored", baseline: "fetch" },
    { name: "a send with 20 computed values", measured: "mailer, computing", baseline: "mailer", target: 1.2 },
    { name: "a send, 16 at once", measured: "mailer, at once", baseline: "fetch, at once" },
  ];
  return rows.map(({ name, measured, baseline, ...target }) =>
    toResult({
      name,
      measured: times[measured] ?? [],
      reference: times[baseline] ?? [],
      baseline,
      unit: "µs",
      ...target,
    }),
  );
}

/** Microseconds per send, one after another. @param {Sender} sender */
async function timeOfOne(sender) {
  const start = performance.now();
  for (let call = 0; call < CALLS; call += 1) await sender.send();
  return ((performance.now() - start) / CALLS) * 1000;
}

/** Microseconds per send, 16 concurrently. @param {Sender} sender */
function timeOfMany(sender) {
  return timeOf(() => sender.send());
}
