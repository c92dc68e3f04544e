// @ts-check
// Compares lettershop with other tools: see README.md.
import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { table } from "./measure/report.mjs";

/** @typedef {{ readonly rounds: number, readonly schemas: boolean, readonly note: (text: string) => void }} Options */

/** @type {Record<string, (options: Options) => Promise<import("./measure/report.mjs").Result[]>>} */
const benchmarks = {
  api: async (options) => (await import("./api/api.mjs")).benchApi(options),
  check: async (options) => (await import("./check/check.mjs")).benchCheck(options),
  "client-support": async (options) =>
    (await import("./client-support/client-support.mjs")).benchClientSupport(options),
  compile: async (options) => (await import("./compile/compile.mjs")).benchCompile(options),
  fill: async (options) => (await import("./fill/fill.mjs")).benchFill(options),
  pace: async (options) => (await import("./send/pace.mjs")).benchPace(options),
  postgres: async (options) => (await import("./send/postgres.mjs")).benchPostgres(options),
  "postgres-pace": async (options) => (await import("./send/postgres-pace.mjs")).benchPostgresPace(options),
  preview: async (options) => (await import("./preview/preview.mjs")).benchPreview(options),
  send: async (options) => (await import("./send/send.mjs")).benchSend(options),
  "send-smtp": async (options) => (await import("./send/smtp.mjs")).benchSmtp(options),
  smtp: async (options) => (await import("./smtp/smtp.mjs")).benchSmtp(options),
  startup: async (options) => (await import("./startup/startup.mjs")).benchStartup(options),
  sync: async (options) => (await import("./sync/sync.mjs")).benchSync(options),
};

/** These take many minutes, those of the pace regardless of `--rounds`. */
const ONLY_WHEN_NAMED = ["pace", "postgres", "postgres-pace"];

const usage = `Usage: node bench/run.mjs [${Object.keys(benchmarks).join("|")}…] [--rounds N] [--schemas] [--json]`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string", default: "5" },
    schemas: { type: "boolean", default: false },
    json: { type: "boolean" },
  },
});
const rounds = Number(values.rounds);
const names =
  positionals.length > 0 ? positionals : Object.keys(benchmarks).filter((name) => !ONLY_WHEN_NAMED.includes(name));
if (!Number.isInteger(rounds) || rounds < 1 || !names.every((name) => Object.hasOwn(benchmarks, name))) {
  console.error(usage);
  process.exit(2);
}

for (const { folder, command } of [
  { folder: "../dist", command: "npm run build" },
  { folder: "node_modules", command: "npm ci --prefix bench" },
]) {
  if (existsSync(new URL(folder, import.meta.url))) continue;
  console.error(`Run this first: ${command}`);
  process.exit(2);
}

/** @type {Record<string, import("./measure/report.mjs").Result[]>} */
const results = {};
for (const name of names) {
  results[name] = (await benchmarks[name]?.({ rounds, schemas: values.schemas, note: console.error })) ?? [];
  if (!values.json) console.log(`${table(name, results[name])}\n`);
}
if (values.json) console.log(JSON.stringify({ node: process.version, rounds, results }, null, 2));
