// @ts-check
/*
 * Startup time: whole processes compared with an empty Node process.
 */
import { fileURLToPath } from "node:url";
import { toResult } from "../measure/report.mjs";
import { runProcess } from "../measure/run-process.mjs";

/** Starts of each per round. */
const STARTS = 10;

const repository = fileURLToPath(new URL("../..", import.meta.url));
const send = new URL("../../dist/send/index.js", import.meta.url).href;
const templates = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

/** @type {Record<string, string[]>} */
const COMMANDS = {
  'import "lettershop/send"': ["--input-type=module", "-e", `import ${JSON.stringify(send)};`],
  "templates --help": [templates, "--help"],
  "templates build --help": [templates, "build", "--help"],
};

/** @param {{ readonly rounds: number, readonly note: (text: string) => void }} options */
export async function benchStartup({ rounds, note }) {
  const names = Object.keys(COMMANDS);
  /** @type {number[][]} */
  const measured = names.map(() => []);
  /** @type {number[]} */
  const reference = [];
  for (let round = 1; round <= rounds; round += 1) {
    note(`startup: round ${round} of ${rounds}`);
    for (let start = 0; start < STARTS; start += 1) {
      reference.push(await timeOf(["-e", "0"]));
      for (const [index, name] of names.entries()) measured[index]?.push(await timeOf(COMMANDS[name] ?? []));
    }
  }
  return names.map((name, index) =>
    toResult({ name, measured: measured[index] ?? [], reference, baseline: "node -e 0", unit: "ms" }),
  );
}

/** @param {readonly string[]} args */
async function timeOf(args) {
  return (await runProcess([process.execPath, ...args], { cwd: repository })).wall;
}
