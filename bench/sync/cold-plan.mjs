// @ts-check
/*
 * `templates sync --out PLAN` of 200 HTML templates of 60 kB whose footers have changed, cold and to a service without
 * limits in another process; compared with `templates check` of the same.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { LOCAL_API_KEY, LOCAL_DOMAIN } from "../../dist/api/local.js";
import { startServer } from "../api/process.mjs";
import { toResult } from "../measure/report.mjs";
import { runProcess } from "../measure/run-process.mjs";

const templates = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const ROW = 'style="padding: 8px; color: #333333; font-family: Arial, sans-serif"';
const ENV = { ...process.env, LETTERSHOP_ENV: "bench", LETTERSHOP_API_KEY: LOCAL_API_KEY };

/** @param {{ readonly rounds: number, readonly note: (text: string) => void }} options */
export async function benchColdPlan({ rounds, note }) {
  const folder = mkdtempSync(path.join(tmpdir(), "lettershop-bench-"));
  const service = await startServer(new URL("../api/service.mjs", import.meta.url), path.join(folder, "service"));
  try {
    const environments = { bench: { url: service.url, domain: LOCAL_DOMAIN } };
    writeFileSync(path.join(folder, "lettershop.config.json"), JSON.stringify({ environments, sync: { lock: false } }));
    /** @param {readonly string[]} args */
    const run = (...args) => runProcess([process.execPath, templates, ...args], { cwd: folder, env: ENV });
    /** @param {readonly string[]} args */
    const cold = (...args) => {
      rmSync(path.join(folder, ".lettershop", "cache"), { recursive: true, force: true });
      return run(...args);
    };
    writeTemplates(folder, "before");
    await run("sync", "--yes");
    writeTemplates(folder, "after");
    /** @type {Record<"plan" | "check", import("../measure/run-process.mjs").ProcessFigures>[]} */
    const measured = [];
    for (let round = 0; round <= rounds; round += 1) {
      note(round === 0 ? "cold plan: warming up" : `cold plan: round ${round} of ${rounds}`);
      const [check, plan] = [await cold("check"), await cold("sync", "--out", "sync.plan")];
      if (round > 0) measured.push({ check, plan });
    }
    return [
      toResult({
        name: "cold plan of 200 of 60 kB, all changed",
        unit: "ms",
        measured: measured.map(({ plan }) => plan.wall),
        baseline: "check of the same",
        reference: measured.map(({ check }) => check.wall),
        target: 1.2,
      }),
      toResult({
        name: "the same: peak memory",
        unit: "MB",
        measured: measured.map(({ plan }) => plan.memory / 1e6),
        baseline: "400 MB",
        reference: measured.map(() => 400),
        target: 1,
      }),
    ];
  } finally {
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {string} folder @param {string} footer */
function writeTemplates(folder, footer) {
  for (let index = 0; index < 200; index += 1) {
    const name = `mail-${index}`;
    const at = path.join(folder, "templates", name);
    const rows = Array.from(
      { length: 380 },
      (_, row) => `<tr><td ${ROW}>${name}, row ${row} of {{name}}, with some words.</td></tr>\n`,
    );
    mkdirSync(path.join(at, "fixtures"), { recursive: true });
    writeFileSync(path.join(at, "template.json"), JSON.stringify({ subject: `${name} for {{name}}` }));
    writeFileSync(path.join(at, "fixtures", "default.json"), JSON.stringify({ name: "Ada" }));
    writeFileSync(
      path.join(at, `${name}.html`),
      `<!doctype html><html lang="en"><head><title>${name}</title></head><body><table role="presentation">\n${rows.join("")}<tr><td>${footer}</td></tr></table></body></html>\n`,
    );
  }
}
