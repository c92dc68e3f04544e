// @ts-check
/*
 * What the mailer costs a process: importing it, and a first send from a registry, unbundled and bundled. Whole processes, in
 * turn, compared with an empty one and with the first send of two clients of well-known services.
 */
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { startServer } from "../api/process.mjs";
import { toResult } from "../measure/report.mjs";
import { runProcess } from "../measure/run-process.mjs";

/** Starts of each program per round. */
const STARTS = 10;

const from = (/** @type {string} */ file) => JSON.stringify(fileURLToPath(new URL(file, import.meta.url)));
const bench = fileURLToPath(new URL("..", import.meta.url));

/** Programs that send one message to the server whose URL is passed. */
const programs = {
  lettershop: `import { createMailer } from ${from("../../dist/send/index.js")};
import { templates } from ${from("./receipt.mjs")};
import { orderOf } from ${from("./orders.mjs")};
const mailer = createMailer({ templates, url: process.argv[2], domain: "example.test", apiKey: "key-of-the-benchmark", from: "shop" });
await mailer.send("receipt", { order: orderOf(1) }, { to: "ada@example.com" });
await mailer.close();
process.exit();
`,
  postmark: `import { ServerClient } from "postmark";
import { orderOf } from ${from("./orders.mjs")};
const client = new ServerClient("key-of-the-benchmark", { useHttps: false, requestHost: process.argv[2].replace("http://", "") });
await client.sendEmailWithTemplate({ From: "shop@example.test", To: "ada@example.com", TemplateAlias: "receipt", TemplateModel: { order: orderOf(1) } });
process.exit();
`,
  resend: `import { Resend } from "resend";
import { orderOf } from ${from("./orders.mjs")};
process.env.RESEND_BASE_URL = process.argv[2];
const { error } = await new Resend("key-of-the-benchmark").emails.send({ from: "shop@example.test", to: "ada@example.com", template: { id: "receipt", variables: { order: JSON.stringify(orderOf(1)) } } });
if (error) throw new Error(error.message);
process.exit();
`,
};

/** @typedef {keyof typeof programs} Client */
const clients = /** @type {const} */ (["lettershop", "postmark", "resend"]);

/** @param {{ readonly rounds: number, readonly note: (text: string) => void }} options */
export async function benchFirstSend({ rounds, note }) {
  // A folder from which packages can be resolved.
  const folder = mkdtempSync(path.join(bench, ".first-send-"));
  const elsewhere = mkdtempSync(path.join(tmpdir(), "lettershop-bench-"));
  const server = await startServer(new URL("./bare.mjs", import.meta.url));
  try {
    /** @type {Record<string, string[]>} */
    const commands = {
      empty: [write(folder, "empty", "export {};\n")],
      named: [write(folder, "named", `import ${from("../../dist/send/index.js")};\n`)],
    };
    /** @type {Record<string, number>} */
    const sizes = {};
    for (const client of clients) {
      const program = write(folder, client, programs[client]);
      const bundled = path.join(elsewhere, `${client}.mjs`);
      await bundle(program, bundled);
      sizes[client] = statSync(bundled).size;
      commands[`${client}, unbundled`] = [program, server.url];
      commands[`${client}, bundled`] = [bundled, server.url];
    }

    /** @type {Record<string, { cpu: number[], memory: number[], wall: number[] }>} */
    const figures = {};
    for (let round = 0; round <= rounds; round += 1) {
      note(round === 0 ? "first send: warming up" : `first send: round ${round} of ${rounds}`);
      /** @type {typeof figures} */
      const ofRound = {};
      for (let start = 0; start < (round === 0 ? 1 : STARTS); start += 1)
        for (const [name, args] of Object.entries(commands)) {
          const { cpu, memory, wall } = await runProcess([process.execPath, ...args], { cwd: elsewhere });
          const all = (ofRound[name] ??= { cpu: [], memory: [], wall: [] });
          all.cpu.push(cpu);
          all.memory.push(memory);
          all.wall.push(wall);
        }
      if (round === 0) continue;
      for (const [name, { cpu, memory, wall }] of Object.entries(ofRound)) {
        const all = (figures[name] ??= { cpu: [], memory: [], wall: [] });
        // Linux counts a process's time in units of 10 ms, so only the mean of many is meaningful.
        all.cpu.push(mean(cpu));
        all.memory.push(mean(memory) / 1e6);
        all.wall.push(mean(wall));
      }
    }
    return [...toResults(figures), ...toSizes(sizes)];
  } finally {
    await server.close();
    for (const each of [folder, elsewhere]) rmSync(each, { recursive: true, force: true });
  }
}

/** @param {Record<string, { cpu: number[], memory: number[], wall: number[] }>} figures */
function toResults(figures) {
  const results = [
    toResult({
      name: 'import "lettershop/send"',
      measured: figures["named"]?.wall ?? [],
      reference: figures["empty"]?.wall ?? [],
      baseline: "an empty module",
      unit: "ms",
      target: 1.15,
    }),
  ];
  for (const form of ["unbundled", "bundled"])
    for (const [figure, unit] of /** @type {const} */ ([
      ["cpu", "ms"],
      ["memory", "MB"],
    ])) {
      const of = (/** @type {Client} */ client) => figures[`${client}, ${form}`]?.[figure] ?? [];
      const [postmark, resend] = [of("postmark"), of("resend")];
      results.push(
        toResult({
          name: `first send, ${form}: ${figure === "cpu" ? "processor time" : "peak memory"}`,
          measured: of("lettershop"),
          reference: postmark.map((value, round) => Math.min(value, resend[round] ?? value)),
          baseline: "the better of postmark and resend",
          unit,
          target: 1.1,
        }),
      );
    }
  return results;
}

const LIMIT_KB = 250;

/** @param {Record<string, number>} sizes */
function toSizes(sizes) {
  return [
    toResult({
      name: "minified bundle of one send",
      measured: [(sizes["lettershop"] ?? 0) / 1000],
      reference: [LIMIT_KB],
      baseline: "the limit of",
      unit: "kB",
      target: 1,
    }),
    ...["postmark", "resend"].map((peer) =>
      toResult({
        name: "minified bundle of one send",
        measured: [(sizes["lettershop"] ?? 0) / 1000],
        reference: [(sizes[peer] ?? 0) / 1000],
        baseline: peer,
        unit: "kB",
      }),
    ),
  ];
}

/** @param {string} program @param {string} file */
async function bundle(program, file) {
  const build = await rolldown({ input: program, platform: "node", logLevel: "silent" });
  await build.write({ file, format: "esm", minify: true, codeSplitting: false });
  await build.close();
}

/** @param {string} folder @param {string} name @param {string} code */
function write(folder, name, code) {
  const file = path.join(folder, `${name}.mjs`);
  writeFileSync(file, code);
  return file;
}

/** @param {readonly number[]} values */
function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
