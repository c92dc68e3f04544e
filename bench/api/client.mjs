// @ts-check
/*
 * The typed client compared with undici, which it is built on, against the same bare server in another process: the same
 * requests, the same concurrency, and the same response bytes.
 */
import { Pool } from "undici";
import { createClient } from "../../dist/api/index.js";
import { toResult } from "../measure/report.mjs";
import { email } from "./bodies.mjs";
import { startServer } from "./process.mjs";
import { timeOf } from "./time.mjs";

const KEY = "key-of-the-benchmark";
const TURNS = 10;

/** @param {{ readonly rounds: number, readonly note: (text: string) => void }} options */
export async function benchClient({ rounds, note }) {
  const server = await startServer(new URL("./bare.mjs", import.meta.url));
  const client = createClient({ apiKey: KEY, baseUrl: server.url });
  const pool = new Pool(server.url, { connections: 64 });
  const authorization = `Basic ${Buffer.from(`api:${KEY}`).toString("base64")}`;

  /** @param {"GET" | "POST"} method @param {string} path @param {object} [body] */
  const raw = async (method, path, body) => {
    const response = await pool.request({
      method,
      path,
      headers: { authorization, ...(body && { "content-type": "application/json" }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (response.statusCode !== 200) throw new Error(`The server responded with ${response.statusCode}.`);
    return response.body.json();
  };
  const cases = [
    {
      name: "client: a read",
      target: 1.3,
      ours: () => client.templates.get("example.test", "receipt"),
      peer: () => raw("GET", "/v4/domains/example.test/templates/receipt"),
    },
    {
      name: "client: a send",
      target: 1.5,
      ours: () => client.emails.send("example.test", email),
      peer: () => raw("POST", "/v4/domains/example.test/emails/outbound", email),
    },
  ];

  try {
    const results = [];
    for (const { name, target, ours, peer } of cases) {
      /** @type {number[]} */
      const measured = [];
      /** @type {number[]} */
      const reference = [];
      for (let round = 0; round <= rounds; round += 1) {
        note(round === 0 ? `${name}: warming up` : `${name}: round ${round} of ${rounds}`);
        for (let turn = 0; turn < TURNS; turn += 1) {
          // They take turns to go first, because the first one warms up the server for the other.
          const first = turn % 2 === 0 ? await timeOf(ours) : undefined;
          const peerTime = await timeOf(peer);
          const time = first ?? (await timeOf(ours));
          if (round === 0) continue;
          measured.push(time);
          reference.push(peerTime);
        }
      }
      results.push(toResult({ name, measured, reference, baseline: "undici", unit: "µs", target }));
    }
    return results;
  } finally {
    await Promise.all([client.close(), pool.close()]);
    await server.close();
  }
}
