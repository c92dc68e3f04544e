// @ts-check
/*
 * The client-support rules on a large body, after the rules and their data are loaded. The document is parsed again each time,
 * as in a check, and parsing is included. The figure is processor time, which is least affected by other work on the machine.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { checkCompiled, RULES } from "../../dist/check/index.js";
import { compileAll, createModuleHost, loadTemplates } from "../../dist/render/index.js";
import { toResult } from "../measure/report.mjs";

const repository = fileURLToPath(new URL("../..", import.meta.url));

/** In characters: close to the maximum of 100,000 for a body. */
const LENGTH = 84_000;
/** Milliseconds. */
const TARGET = 60;
const TURNS = 10;

const rules = RULES.filter(({ id }) => id.startsWith("client-"));

/** @param {{ readonly rounds: number, readonly note: (text: string) => void }} options */
export async function benchClientSupport({ rounds, note }) {
  const large = await compileLarge();
  /** @type {number[]} */
  const measured = [];
  for (let round = 0; round <= rounds; round += 1) {
    note(round === 0 ? "client-support: warming up" : `client-support: round ${round} of ${rounds}`);
    for (let turn = 0; turn < TURNS; turn += 1) {
      const start = process.cpuUsage();
      await checkCompiled([large], { rules });
      const { user, system } = process.cpuUsage(start);
      if (round > 0) measured.push((user + system) / 1000);
    }
  }
  const reference = measured.map(() => TARGET);
  const name = `client support of ${LENGTH / 1000},000 characters`;
  return [toResult({ name, measured, reference, baseline: `${TARGET} ms`, unit: "ms", target: 1 })];
}

/** The starter's receipt, its body repeated until it has `LENGTH` characters. */
async function compileLarge() {
  const cacheFolder = mkdtempSync(path.join(tmpdir(), "lettershop-bench-"));
  const host = createModuleHost({ cacheFolder });
  try {
    const { templates } = loadTemplates([path.join(repository, "templates")]);
    const receipt = templates.filter(({ name }) => name === "receipt");
    const [result] = await compileAll(receipt, { host, folder: repository, locale: "en-US", timeZone: "UTC" });
    if (!result?.compiled) throw new Error("The starter's receipt was not compiled.");
    return { ...result, compiled: { ...result.compiled, html_body: enlarge(result.compiled.html_body) } };
  } finally {
    await host.close();
    rmSync(cacheFolder, { recursive: true, force: true });
  }
}

/** @param {string} html */
function enlarge(html) {
  const [start, end] = [html.indexOf(">", html.indexOf("<body")) + 1, html.lastIndexOf("</body>")];
  const times = Math.round((LENGTH - html.length) / (end - start)) + 1;
  return html.slice(0, start) + html.slice(start, end).repeat(times) + html.slice(end);
}
