import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { transform } from "rolldown/utils";
import { expect, onTestFinished, test } from "vitest";
import { createMailer } from "../../src/send/index.js";
import { startService } from "../../src/service/index.js";
import type { Registry } from "../../src/project/registry-types.js";
import { TestProject } from "./project.js";

type Templates = Record<string, Record<string, unknown>>;
type Messages = readonly (readonly [template: string, variables: Record<string, unknown>])[];

function template(name: string, text: string, variables: object, more: object = {}): Record<string, string> {
  return {
    [`templates/${name}/${name}.html`]: `<!doctype html>\n<html lang="en"><head><title>${name}</title></head><body><p>${text}</p></body></html>\n`,
    [`templates/${name}/template.json`]: JSON.stringify({ subject: `${name} for {{name}}`, ...more }),
    [`templates/${name}/fixtures/default.json`]: JSON.stringify(variables),
  };
}

const ada = { name: "Ada" };
const total = { amount: "7", currency: "EUR" };
const before = { ...template("welcome", "Welcome, {{name}}.", ada), ...template("receipt", "Paid by {{name}}.", ada) };
const after = {
  ...template("greeting", "Welcome, {{name}}.", ada, { renamedFrom: "welcome" }),
  ...template("receipt", "Paid by {{name}}: {{total.amount}} {{total.currency}}.", { ...ada, total }),
};
const ofOld: Messages = [
  ["welcome", ada],
  ["receipt", ada],
];
const ofNew: Messages = [
  ["greeting", ada],
  ["receipt", { ...ada, total }],
];

async function setUp() {
  const service = await startService({ data: ":memory:", port: 0, limits: false });
  onTestFinished(() => service.close());
  const { url, domain, apiKey } = service;
  const project = new TestProject({
    "lettershop.config.json": JSON.stringify({ environments: { production: { url, domain } } }),
    ...before,
  });
  const sync = (...flags: readonly string[]) =>
    project.run(["sync", "--env", "production", ...flags], { LETTERSHOP_API_KEY: apiKey });
  const old = await registryOf(project, "old");
  expect(await sync()).toMatchObject({ code: 0 });

  project.remove("templates");
  project.write(after);
  const registries = { old, new: await registryOf(project, "new") };
  /** Starts an application that sends continuously, and reads the outcomes. */
  const start = (templates: Registry<Templates>, messages: Messages) => {
    const mailer = createMailer({
      templates,
      environment: "production",
      apiKey,
      from: "shop",
      sendsPerMinute: 1_000_000,
    });
    const arrived = new Set<string>();
    const state = { isStopped: false, rounds: 0 };
    const running = (async () => {
      try {
        for (; !state.isStopped; state.rounds += 1) {
          for (const [name, variables] of messages) {
            const { id } = await mailer.send(name, variables, { to: "ada@example.org" });
            arrived.add((await service.mail.open(id))?.text?.trim() ?? "");
          }
          await sleep(20);
        }
      } finally {
        await mailer.close();
      }
    })();
    running.catch(() => undefined);
    const stop = async () => {
      state.isStopped = true;
      await running;
    };
    onTestFinished(() => stop().catch(() => undefined));
    return {
      arrived,
      /** Resolves when all messages have been sent a few more times; rejects with the error of a send. */
      async sendSome() {
        const target = state.rounds + 5;
        while (state.rounds < target) await Promise.race([sleep(10), running]);
      },
      stop,
    };
  };
  return { sync, start, registries };
}

/** The registry of this version of the application. */
async function registryOf(project: TestProject, version: string): Promise<Registry<Templates>> {
  expect(await project.run(["types"])).toMatchObject({ code: 0 });
  const { code } = await transform("templates.gen.ts", readFileSync(project.path("templates.gen.ts"), "utf8"));
  project.write({ [`${version}.mjs`]: code });
  const { templates }: { templates: Registry<Templates> } = await import(
    pathToFileURL(project.path(`${version}.mjs`)).href
  );
  return templates;
}

test("both versions of an application can send throughout a deployment in the guide's order", async () => {
  const { sync, start, registries } = await setUp();
  const old = start(registries.old, ofOld);
  await old.sendSome();

  const first = await sync();
  expect(first).toMatchObject({ code: 1, stdout: expect.stringContaining("1 of 1 applied, 1 held back.") });
  expect(first.stdout).toMatch(/receipt: total\.amount would be blank/);

  const next = start(registries.new, ofNew);
  await Promise.all([old.sendSome(), next.sendSome()]);
  await old.stop();
  expect(old.arrived).toEqual(new Set(["Welcome, Ada.", "Paid by Ada."]));
  expect(next.arrived).toEqual(old.arrived);

  expect(await sync("--allow-breaking", "receipt")).toMatchObject({ code: 0 });
  await next.sendSome();
  expect(await sync("--prune", "--yes")).toMatchObject({ code: 0, stdout: expect.stringContaining("welcome") });
  await next.sendSome();
  await next.stop();
  expect(next.arrived).toEqual(new Set(["Welcome, Ada.", "Paid by Ada.", "Paid by Ada: 7 EUR."]));
});

test("changes that would break running applications are held back in every command", async () => {
  const { sync, start, registries } = await setUp();
  const old = start(registries.old, ofOld);
  expect(await sync("--prune", "--overwrite-drift", "*", "--yes")).toMatchObject({
    code: 1,
    stdout: expect.stringContaining("receipt: total.amount would be blank"),
  });
  await old.sendSome();
  await old.stop();
  expect(old.arrived).toEqual(new Set(["Welcome, Ada.", "Paid by Ada."]));
});
