// @ts-check
/*
 * A send through the mailer by SMTP, without rate limits, compared with nodemailer's pool: the same message to the same bare
 * server, one after another and concurrently.
 */
import { performance } from "node:perf_hooks";
import { createTransport } from "nodemailer";
import { createMailer } from "../../dist/send/index.js";
import { smtp } from "../../dist/smtp/index.js";
import { startServer } from "../api/process.mjs";
import { toResult } from "../measure/report.mjs";

const TURNS = 10;
/** Sends per turn. */
const CALLS = 100;
/** Nodemailer's default for connections. */
const AT_ONCE = 5;

const html = `<!doctype html><html><body>${"<p>Three teapots, and a kettle for Ada.</p>".repeat(200)}</body></html>`;
const text = "Three teapots, and a kettle for Ada.\n".repeat(100);

/** @typedef {{ readonly send: (number: number) => Promise<unknown>, readonly close: () => unknown }} Sender */

/** @param {{ readonly rounds: number, readonly note: (text: string) => void }} options */
export async function benchSmtp({ rounds, note }) {
  const server = await startServer(new URL("./smtp-server.mjs", import.meta.url));
  const { hostname: host, port } = new URL(server.url);
  const mailer = mailerTo(host, Number(port));
  const pool = poolTo(host, Number(port));
  /** @type {[name: string, sender: Sender, width: number][]} */
  const cases = [
    ["mailer", mailer, 1],
    ["nodemailer", pool, 1],
    ["mailer, at once", mailer, AT_ONCE],
    ["nodemailer, at once", pool, AT_ONCE],
  ];
  /** @type {Record<string, number[]>} */
  const times = {};
  try {
    for (let round = 0; round <= rounds; round += 1) {
      note(round === 0 ? "smtp: warming up" : `smtp: round ${round} of ${rounds}`);
      for (let turn = 0; turn < TURNS; turn += 1) {
        for (const [name, sender, width] of turn % 2 === 0 ? cases : cases.toReversed()) {
          const time = await timeOf(sender, width);
          if (round > 0) (times[name] ??= []).push(time);
        }
      }
    }
  } finally {
    await mailer.close();
    pool.close();
    await server.close();
  }
  return [
    { name: "a send by SMTP", suffix: "" },
    { name: `a send by SMTP, ${AT_ONCE} at once`, suffix: ", at once" },
  ].map(({ name, suffix }) =>
    toResult({
      name,
      measured: times[`mailer${suffix}`] ?? [],
      reference: times[`nodemailer${suffix}`] ?? [],
      baseline: "nodemailer's pool",
      unit: "µs",
      target: 1.3,
    }),
  );
}

/** @param {string} host @param {number} port @returns {Sender} */
function mailerTo(host, port) {
  const mailer = createMailer({
    transport: smtp({ host, port, user: "shop", password: "secret" }),
    domain: "example.com",
    from: "shop",
    sendsPerMinute: Number.POSITIVE_INFINITY,
  });
  return {
    send: (number) => mailer.sendMessage({ to: "ada@example.com", subject: `Receipt ${number}`, html, text }),
    close: () => mailer.close(),
  };
}

/** @param {string} host @param {number} port @returns {Sender} */
function poolTo(host, port) {
  const transport = createTransport({ host, port, pool: true, auth: { user: "shop", pass: "secret" } });
  const [from, to] = ["shop@example.com", "ada@example.com"];
  return {
    send: (number) => transport.sendMail({ from, to, subject: `Receipt ${number}`, html, text }),
    close: () => transport.close(),
  };
}

/**
 * Microseconds per send.
 *
 * @param {Sender} sender @param {number} width How many are sent at once.
 */
async function timeOf(sender, width) {
  let next = 0;
  const start = performance.now();
  const sends = Array.from({ length: width }, async () => {
    while (next < CALLS) {
      next += 1;
      await sender.send(next);
    }
  });
  await Promise.all(sends);
  return ((performance.now() - start) / CALLS) * 1000;
}
