import { spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { startGateway } from "./gateway.js";
import { content, inWords, local, machine, MARKER, startLocalService, temporaryFolder, versions } from "./machine.js";

const { syncOnce } = await import(new URL("sync-once.mjs", import.meta.url).href);
const script = fileURLToPath(new URL("sync-process.mjs", import.meta.url));
const names = ["t0", "t1", "t2"];

/** Punctuation and spaces, as a service may change them. */
const alter = (body: string) => body.replaceAll("<p>", "<p >").replaceAll("'", "&#39;");

/** Possible edits of `t0`, whose words are the new ones. */
const edits = [
  ["of words", { html_body: "<p >By hand</p>" }],
  ["of only the subject", { subject: "By hand" }],
  ["of signs", { html_body: "<p >t0 it&#39;s new!</p>" }],
] as const;

const isLong = process.env["MODE"] === "long";

describe.each(isLong ? versions : versions.slice(0, 1))(
  "over version %s, with a service that alters what it stores",
  (version) => {
    async function start() {
      const service = await startLocalService();
      const gateway = await startGateway(service);
      gateway.alter = alter;
      const { client } = await machine({ service, version });
      const edit = async (fields: object) => void (await client.templates.update(service.domain, "t0", fields));
      const stored = async () => client.templates.get(service.domain, "t0");
      return { service, gateway, edit, stored };
    }

    describe("a run that is killed after its first update took effect", () => {
      async function startKilled() {
        const { service, gateway, ...rest } = await start();
        const folder = await temporaryFolder();
        const { apiKey, domain } = service;
        const options = { url: gateway.url, apiKey, domain, version, folder, names, markerText: MARKER };
        await syncOnce({ ...options, words: "it's old" });
        const next = { ...options, words: "it's new" };
        const child = spawn(process.execPath, [script, JSON.stringify(next)], {
          stdio: ["ignore", "ignore", "inherit"],
        });
        onTestFinished(() => void child.kill("SIGKILL"));
        const ended = once(child, "exit");
        gateway.after = async (method) => {
          if (method !== "PUT") return;
          child.kill("SIGKILL");
          await ended;
        };
        expect(await ended).toEqual([null, "SIGKILL"]);
        gateway.after = undefined;
        expect(await rest.stored()).toMatchObject({ subject: "t0 it&#39;s new", html_body: "<p >t0 it&#39;s new</p>" });
        return { ...rest, folder, sync: async () => syncOnce(next) };
      }

      test.each(edits)("notices every later edit %s", async (_, fields) => {
        const { sync, edit, stored } = await startKilled();
        expect(await sync()).toEqual({ results: names.map((name) => `applied update ${name}`), held: [] });
        await edit(fields);
        const edited = await stored();
        expect(await sync()).toMatchObject({ results: [], held: [{ kind: "drifted", name: "t0" }] });
        expect(await stored()).toEqual(edited);
      });

      test.each(edits.slice(0, 2))(
        "notices an edit %s before the next run, with and without the lock",
        async (_, fields) => {
          for (const hasLock of [true, false]) {
            const { sync, edit, stored, folder } = await startKilled();
            await edit(fields);
            if (!hasLock) await rm(path.join(folder, "templates.lock.json"));
            const edited = await stored();
            expect((await sync()).held).toMatchObject([{ kind: "drifted", name: "t0" }]);
            expect(await stored()).toEqual(edited);
          }
        },
      );
    });

    const old = names.map((name) => local(name, content(`${name} it's old`)));
    const next = names.map((name) =>
      local(name, content(`${name} it's new`, { html_body: `<p>${name} it's new</p>` })),
    );

    test.each(edits)(
      "notices every later edit %s after a service lost its answer and stayed down",
      async (_, fields) => {
        const { service, gateway, edit, stored } = await start();
        const { sync } = await machine({ service: { ...service, url: gateway.url }, version, retries: 0 });
        await sync(old);
        gateway.after = async (method) => {
          if (method === "PUT") gateway.isShut = true;
        };
        gateway.mishapOf = (method) => (method === "PUT" ? "cut after" : undefined);
        expect(inWords((await sync(next)).outcomes)).toEqual([
          "unknown update t0",
          "notAttempted update t1",
          "notAttempted update t2",
        ]);
        gateway.isShut = false;
        gateway.after = undefined;
        gateway.mishapOf = undefined;
        const after = await sync(next);
        // The marker only records what the service made of the first one, for machines without this journal.
        expect(after.plan.steps.flat()[0]).toMatchObject({ kind: "update", name: "t0", changes: [] });
        expect(inWords(after.outcomes)).toEqual(names.map((name) => `applied update ${name}`));
        const elsewhere = await machine({ service, version, hasLock: false });
        expect((await elsewhere.plan(next)).plan).toMatchObject({ steps: [], held: [] });
        await edit(fields);
        const edited = await stored();
        expect(await sync(next)).toMatchObject({ plan: { steps: [], held: [{ kind: "drifted", name: "t0" }] } });
        expect(await stored()).toEqual(edited);
      },
    );
  },
);
