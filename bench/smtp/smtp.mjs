// @ts-check
/*
 * The local service: emails accepted by SMTP, routed, and forwarded (captured), compared with a bare smtp-server that only
 * writes them to the disk. Both answer when an email is on the disk.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { performance } from "node:perf_hooks";
import { startServer } from "../api/process.mjs";
import { toResult } from "../measure/report.mjs";
import { recipient } from "./account.mjs";
import { connectTo } from "./client.mjs";

/** At least 0.4 of the bare server's emails per second. */
const TARGET = 1 / 0.4;
const TURNS = 2;

/** Number of emails that each server has got. @type {WeakMap<object, number>} */
const sent = new WeakMap();

const sizes = [
  { size: "1 kB", bytes: 1_000, emails: 600 },
  { size: "100 kB", bytes: 100_000, emails: 300 },
];

/** @param {{ readonly rounds: number, readonly note: (text: string) => void }} options */
export async function benchSmtp({ rounds, note }) {
  const folder = mkdtempSync(path.join(tmpdir(), "lettershop-bench-"));
  const bareFolder = path.join(folder, "bare");
  mkdirSync(bareFolder);
  const service = await startServer(new URL("./service.mjs", import.meta.url), path.join(folder, "service"));
  const bare = await startServer(new URL("./bare.mjs", import.meta.url), bareFolder);
  const results = [];
  try {
    for (const routing of /** @type {const} */ (["aliases", "rules"])) {
      for (const connections of [2, 10]) {
        for (const { size, bytes, emails } of sizes) {
          const name = `${routing === "aliases" ? "1,000 aliases" : "100 rules"}, ${connections} connections, ${size}`;
          const load = { routing, connections, emails, message: messageOf(bytes) };
          /** @type {number[]} */
          const measured = [];
          /** @type {number[]} */
          const reference = [];
          for (let round = 0; round <= rounds; round += 1) {
            note(round === 0 ? `${name}: warming up` : `${name}: round ${round} of ${rounds}`);
            for (let turn = 0; turn < TURNS; turn += 1) {
              const times = [await timeOf(service, load), await timeOf(bare, load)];
              if (round === 0) continue;
              measured.push(times[0] ?? Number.NaN);
              reference.push(times[1] ?? Number.NaN);
            }
          }
          results.push(
            toResult({ name, measured, reference, baseline: "bare smtp-server", unit: "µs", target: TARGET }),
          );
        }
      }
    }
    return results;
  } finally {
    await Promise.all([service.close(), bare.close()]);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {number} bytes */
function messageOf(bytes) {
  const head = [
    "From: Bob <bob@shop.example>",
    "To: Sales <sales@example.test>",
    "Subject: Invoice 1042",
    "Message-ID: <1042@shop.example>",
    "Date: Fri, 27 Nov 2026 10:00:00 +0000",
    "MIME-Version: 1.0",
    "Content-Type: text/plain; charset=utf-8",
  ].join("\r\n");
  const line = "Ten boxes of tea, as agreed on the telephone.\r\n";
  return Buffer.from(`${head}\r\n\r\n${line.repeat(Math.ceil((bytes - head.length) / line.length))}.\r\n`);
}

/**
 * The microseconds per email, from the first one until all are accepted and forwarded.
 *
 * @param {Awaited<ReturnType<typeof startServer>>} server
 * @param {{ readonly routing: "aliases" | "rules", readonly connections: number, readonly emails: number, readonly message: Buffer }} load
 */
async function timeOf(server, { routing, connections, emails, message }) {
  const clients = await Promise.all(
    Array.from({ length: connections }, () => connectTo(Number(new URL(server.url).port))),
  );
  let left = emails;
  const start = performance.now();
  await Promise.all(
    clients.map(async (client) => {
      while (left > 0) await client.send(recipient(routing, (left -= 1)), message);
    }),
  );
  sent.set(server, (sent.get(server) ?? 0) + emails);
  await server.ask(sent.get(server) ?? 0);
  const time = ((performance.now() - start) / emails) * 1_000;
  await Promise.all(clients.map((client) => client.close()));
  return time;
}
