import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { type Gateway, startGateway } from "./gateway.js";
import { machine, MARKER, startLocalService, storedHashes, temporaryFolder, versions } from "./machine.js";
import { contentHash } from "../../../src/sync/content.js";
import { repeated, unsaved } from "./traces.js";

const { syncOnce } = await import(new URL("sync-once.mjs", import.meta.url).href);
const script = fileURLToPath(new URL("sync-process.mjs", import.meta.url));
const names = Array.from({ length: 8 }, (_, i) => `t${i}`);

type Row = readonly [version: (typeof versions)[number], markerText: string | undefined, kills: number];

const few: Row[] = [
  ["v4", MARKER, 2],
  ["v3", undefined, 1],
];
/** Backups of fifty runs are kept, and two more follow. */
const many = versions.flatMap((version): Row[] => [
  [version, MARKER, 48],
  [version, undefined, 48],
]);

test.each(process.env["MODE"] === "long" ? many : few)(
  "fixes in the next run what processes killed at any moment leave behind, over version %s with the marker %s",
  async (version, markerText, kills) => {
    const service = await startLocalService();
    const gateway = await startGateway(service);
    const folder = await temporaryFolder();
    const options = { url: gateway.url, apiKey: service.apiKey, domain: service.domain, version, folder, markerText };

    for (let kill = 0; kill < kills; kill += 1) {
      const child = start({ ...options, names: names.slice(kill % 3), words: `version ${kill}` });
      const ended = new Promise((resolve) => child.once("exit", resolve));
      const enough = gateway.writes.length + Math.ceil(Math.random() * 8);
      await Promise.race([ended, seen(gateway, enough)]);
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 5));
      child.kill("SIGKILL");
      await ended;
    }
    const last = { ...options, names, words: "the last version" };
    expect(await syncOnce(last)).toMatchObject({ held: [] });
    expect(await syncOnce(last)).toEqual({ results: [], held: [] });

    const { client } = await machine({ service, version });
    const stored = await storedHashes({ client }, service.domain);
    for (const name of names) {
      const text = `${name} the last version`;
      const wanted = { subject: text, description: "", html_body: `<p>${text}</p>`, text_body: text };
      expect(stored.get(name)).toBe(contentHash(wanted));
    }
    expect(repeated(gateway.writes)).toEqual([]);
    expect(await unsaved(gateway.writes, folder)).toEqual([]);
  },
  300_000,
);

function start(options: object): ChildProcess {
  const child = spawn(process.execPath, [script, JSON.stringify(options)], { stdio: ["ignore", "ignore", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

async function seen(gateway: Gateway, writes: number): Promise<void> {
  while (gateway.writes.length < writes) await new Promise((resolve) => setTimeout(resolve, 1));
}
