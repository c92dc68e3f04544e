// @ts-check
/*
 * The local service, with its data on disk, compared with a bare hono handler that returns the same bytes: both in separate
 * processes, under the same load. A send is durable before the response.
 */
import { Pool } from "undici";
import { toResult } from "../measure/report.mjs";
import { email, template } from "./bodies.mjs";
import { timeOf } from "./time.mjs";

const authorization = `Basic ${Buffer.from("api:local").toString("base64")}`;
const TURNS = 4;

/**
 * @param {{ readonly url: string }} service
 * @param {{ readonly url: string }} bare
 * @param {{ readonly rounds: number, readonly note: (text: string) => void }} options
 */
export async function benchRequests(service, bare, { rounds, note }) {
  const pools = [service, bare].map(({ url }) => new Pool(url, { connections: 64 }));
  const { created_at: _created, updated_at: _updated, ...fields } = template;
  await post(pools[0], "/v4/domains/example.test/templates", fields);
  const cases = [
    {
      name: "service: a template's read",
      // At least 0.4 of the requests per second.
      target: 1 / 0.4,
      /** @param {Pool | undefined} pool */
      call: (pool) => get(pool, "/v4/domains/example.test/templates/receipt"),
    },
    {
      name: "service: a send",
      target: 6.67, // At least 0.15.
      /** @param {Pool | undefined} pool */
      call: (pool) => post(pool, "/v4/domains/example.test/emails/outbound", email),
    },
  ];

  const results = [];
  for (const { name, target, call } of cases) {
    /** @type {number[]} */
    const measured = [];
    /** @type {number[]} */
    const reference = [];
    for (let round = 0; round <= rounds; round += 1) {
      note(round === 0 ? `${name}: warming up` : `${name}: round ${round} of ${rounds}`);
      for (let turn = 0; turn < TURNS; turn += 1) {
        const times = [await timeOf(() => call(pools[0])), await timeOf(() => call(pools[1]))];
        if (round === 0) continue;
        measured.push(times[0] ?? Number.NaN);
        reference.push(times[1] ?? Number.NaN);
      }
    }
    results.push(toResult({ name, measured, reference, baseline: "bare hono", unit: "µs", target }));
  }
  await Promise.all(pools.map((pool) => pool.close()));
  return results;
}

/** @param {Pool | undefined} pool @param {string} path */
export async function get(pool, path) {
  return textOf(await pool?.request({ method: "GET", path, headers: { authorization } }));
}

/** @param {Pool | undefined} pool @param {string} path @param {object} body */
export async function post(pool, path, body) {
  const headers = { authorization, "content-type": "application/json" };
  return textOf(await pool?.request({ method: "POST", path, headers, body: JSON.stringify(body) }));
}

/** @param {import("undici").Dispatcher.ResponseData | undefined} response */
async function textOf(response) {
  const text = await response?.body.text();
  if (response?.statusCode !== 200) throw new Error(`The service responded with ${response?.statusCode}: ${text}`);
  return text;
}
