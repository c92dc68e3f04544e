// @ts-check
/*
 * Whole processes that sync 200 templates of 60 kB, without a lock and to a service without limits in another process:
 * list, 200 reads, plan, 200 writes with journal and backup; compared with the same without any changes.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { startServer } from "../api/process.mjs";
import { toResult } from "../measure/report.mjs";
import { runProcess } from "../measure/run-process.mjs";

const program = fileURLToPath(new URL("./large-sync.mjs", import.meta.url));

/** @typedef {import("../measure/run-process.mjs").ProcessFigures} Figures */

/** @param {{ readonly rounds: number, readonly note: (text: string) => void }} options */
export async function benchMachine({ rounds, note }) {
  const folder = mkdtempSync(path.join(tmpdir(), "lettershop-bench-"));
  const service = await startServer(new URL("../api/service.mjs", import.meta.url), path.join(folder, "service"));
  try {
    /** @param {number} edition */
    const sync = (edition) =>
      runProcess([process.execPath, program, service.url, `${edition}`, path.join(folder, "runs")], { cwd: folder });
    /** @type {{ readonly changed: Figures, readonly unchanged: Figures }[]} */
    const measured = [];
    for (let round = 0; round <= rounds; round += 1) {
      note(round === 0 ? "200 of 60 kB: warming up" : `200 of 60 kB: round ${round} of ${rounds}`);
      const [changed, unchanged] = [await sync(round), await sync(round)];
      if (round > 0) measured.push({ changed, unchanged });
    }
    /** @param {string} name @param {"ms" | "MB"} unit @param {(figures: Figures) => number} figure */
    const row = (name, unit, figure) =>
      toResult({
        name,
        measured: measured.map(({ changed }) => figure(changed)),
        reference: measured.map(({ unchanged }) => figure(unchanged)),
        baseline: "unchanged",
        unit,
      });
    return [
      row("200 of 60 kB changed, no lock, no limits", "ms", ({ wall }) => wall),
      row("the same: processor time", "ms", ({ cpu }) => cpu),
      row("the same: peak memory", "MB", ({ memory }) => memory / 1e6),
    ];
  } finally {
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
