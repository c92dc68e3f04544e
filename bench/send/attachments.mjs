// @ts-check
/*
 * The memory for attachments: the difference in peak memory between a process that sends 10 MB and one that sends a few bytes in
 * the same way, compared with 10 MB. 1 would be only the file itself.
 */
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { startServer } from "../api/process.mjs";
import { toResult } from "../measure/report.mjs";
import { runProcess } from "../measure/run-process.mjs";

const BYTES = 10_000_000;
const WAYS = ["path", "bytes", "stream", "blob", "queued path"];
const attach = fileURLToPath(new URL("./attach.mjs", import.meta.url));

/** @param {{ readonly rounds: number, readonly note: (text: string) => void }} options */
export async function benchAttachments({ rounds, note }) {
  const folder = mkdtempSync(path.join(tmpdir(), "lettershop-bench-"));
  const server = await startServer(new URL("./bare.mjs", import.meta.url));
  const [large, small] = [path.join(folder, "large.bin"), path.join(folder, "small.bin")];
  writeFileSync(large, randomBytes(BYTES));
  writeFileSync(small, randomBytes(10));
  /** @type {Record<string, number[]>} */
  const additional = {};
  try {
    for (let round = 1; round <= rounds; round += 1) {
      note(`attachments: round ${round} of ${rounds}`);
      for (const way of WAYS) {
        /** @param {string} file */
        const peakOf = async (file) =>
          (await runProcess([process.execPath, attach, way, file, server.url], { cwd: folder })).memory;
        (additional[way] ??= []).push((await peakOf(large)) - (await peakOf(small)));
      }
    }
  } finally {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
  return WAYS.map((way) =>
    toResult({
      name: `memory of attachments: ${way}`,
      measured: (additional[way] ?? []).map((bytes) => bytes / 1_000_000),
      reference: (additional[way] ?? []).map(() => BYTES / 1_000_000),
      baseline: "10 MB",
      unit: "MB",
      target: 3,
    }),
  );
}
