// @ts-check
/*
 * What a process pays for the mailer: for naming it, and for a first send from a registry. Whole processes, in turn, beside
 * one that does nothing and beside the first send through two clients of well-known services.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { startServer } from "../api/process.mjs";
import { toResult } from "../measure/report.mjs";
import { runProcess } from "../measure/run-process.mjs";

/** Starts of each in a round. */
const STARTS = 10;

const door = new URL("../../dist/send/index.js", import.meta.url).href;
const firstSend = fileURLToPath(new URL("./first-send.mjs", import.meta.url));

/** @param {{ readonly rounds: number, readonly note: (text: string) => void }} options */
export async function benchImport({ rounds, note }) {
  const folder = mkdtempSync(path.join(tmpdir(), "lettershop-bench-"));
  const server = await startServer(new URL("./bare.mjs", import.meta.url));
  const [empty, named] = [path.join(folder, "empty.mjs"), path.join(folder, "named.mjs")];
  writeFileSync(empty, "export {};\n");
  writeFileSync(named, `import ${JSON.stringify(door)};\n`);
  /** @type {Record<string, string[]>} */
  const started = {
    empty: [empty],
    named: [named],
    lettershop: [firstSend, "lettershop", server.url],
    postmark: [firstSend, "postmark", server.url],
    resend: [firstSend, "resend", server.url],
  };
  /** @type {Record<string, number[]>} */
  const times = {};
  try {
    for (let round = 0; round <= rounds; round += 1) {
      note(round === 0 ? "import: warming up" : `import: round ${round} of ${rounds}`);
      for (let start = 0; start < (round === 0 ? 1 : STARTS); start += 1)
        for (const [name, args] of Object.entries(started)) {
          const { wall } = await runProcess([process.execPath, ...args], { cwd: folder });
          if (round > 0) (times[name] ??= []).push(wall);
        }
    }
  } finally {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
  const rows = [
    { name: 'import "lettershop/send"', measured: "named", beside: "empty", target: 1.3 },
    { name: "registry and first send", measured: "lettershop", beside: "postmark" },
    { name: "registry and first send", measured: "lettershop", beside: "resend" },
  ];
  return rows.map(({ name, measured, beside, ...target }) =>
    toResult({
      name,
      measured: times[measured] ?? [],
      reference: times[beside] ?? [],
      beside: beside === "empty" ? "an empty module" : `${beside}'s first send`,
      unit: "ms",
      ...target,
    }),
  );
}
