import { symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { transform } from "rolldown/utils";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { createClient } from "../../src/api/client.js";
import type { Variables } from "../../src/mustache/variables.js";
import { loadTemplates } from "../../src/project/load-templates.js";
import type { CompiledTemplate } from "../../src/project/template.js";
import { createModuleHost } from "../../src/process/host.js";
import { generateRegistry } from "../../src/registry/generate.js";
import { compileAll } from "../../src/render/compile.js";
import { createMailer, type MailerOptions, type Registry } from "../../src/send/index.js";
import { startService } from "../../src/service/index.js";
import { rejection } from "../api/servers.js";
import { makeFolder, write } from "../registry/templates.js";
import { temporaryFile } from "./outbox/open.js";

const body = `
interface Props { placedAt: Date; total: bigint; due?: Date | undefined; lines: { on: Date; cents: bigint }[] }
const money = (cents: bigint) => (Number(cents) / 100).toLocaleString("de", { style: "currency", currency: "EUR" });
export default function Receipt({ placedAt, total, due, lines }: Props) {
  return (
    <html lang="en"><head><title>x</title></head><body>
      <p>{placedAt.toLocaleDateString("de", { dateStyle: "long" })} {placedAt.getHours()}: {money(total)}{total > 100n && "!"}</p>
      <p>{due ? due.toISOString() : "at once"}</p>
      {lines.map(({ on, cents }) => <i key={+on}>{on.getFullYear()} {cents} {money(cents)};</i>)}
    </body></html>
  );
}`;

const files = {
  "templates/receipt/receipt.tsx": body,
  "templates/receipt/template.json": '{ "subject": "{{total}} of {{placedAt}}" }',
  "templates/receipt/fixtures/default.json": JSON.stringify({
    placedAt: "2026-06-30T22:30:00Z",
    total: "123456789012345678901",
    lines: [{ on: "2025-12-31T23:00:00Z", cents: 5 }],
  }),
};

let registry: Registry;
let template: CompiledTemplate;

beforeAll(async () => {
  let remove = async (): Promise<void> => undefined;
  const folder = await makeFolder((end) => (remove = end));
  for (const name of ["react", "react-dom"]) {
    const installed = fileURLToPath(new URL(`../../node_modules/${name}`, import.meta.url));
    await symlink(installed, path.join(folder, "node_modules", name), "junction");
  }
  await write(folder, files);
  const dataFolder = path.join(folder, ".lettershop");
  const host = createModuleHost({ cacheFolder: path.join(dataFolder, "modules") });
  const place = { locale: "en-US", timeZone: "UTC" };
  const { templates } = loadTemplates([path.join(folder, "templates")]);
  const results = await compileAll(templates, { host, folder, ...place });
  await host.close();
  expect(results.flatMap(({ diagnostics }) => diagnostics)).toEqual([]);
  template = results[0]?.compiled ?? expect.unreachable();
  const text = await generateRegistry({ results, project: { folder, dataFolder, environments: {}, ...place } });
  const file = path.join(folder, "templates.gen.mjs");
  await writeFile(file, (await transform("templates.gen.ts", text)).code);
  registry = ((await import(pathToFileURL(file).href)) as { readonly templates: Registry }).templates;
  return remove;
});

/** A local service that has the template, mailers for it, and what it sent. */
async function start() {
  const service = await startService({ data: ":memory:", port: 0 });
  onTestFinished(() => service.close());
  const client = createClient({ apiKey: service.apiKey, baseUrl: service.url });
  onTestFinished(() => client.close());
  const { name, subject, html_body, text_body } = template;
  await client.templates.create(service.domain, { name, subject, html_body, text_body });
  const { url, domain, apiKey } = service;
  const newMailer = (options: Partial<MailerOptions<Record<string, Variables>>> = {}) => {
    const mailer = createMailer({ url, domain, apiKey, from: "shop", sendsPerMinute: Infinity, ...options });
    onTestFinished(() => mailer.close());
    return mailer;
  };
  const read = async (id = "") => {
    const { subject: line, html } = (await service.mail.open(id)) ?? {};
    return [line, ...(html?.match(/(?<=<(?:p|i)>).*?(?=<\/(?:p|i)>)/g) ?? [])];
  };
  return { newMailer, read };
}

const to = "ada@example.com";
const variables = {
  placedAt: new Date("2026-06-30T22:30:00Z"),
  total: 123456789012345678901n,
  due: undefined,
  lines: [{ on: new Date("2025-12-31T23:00:00Z"), cents: 5n }],
};

test("an application passes dates and bigints, with which the template computes in the mailer's time zone", async () => {
  const { newMailer, read } = await start();
  const mailer = newMailer({ templates: registry, timeZone: "Europe/Berlin" });
  const { id } = await mailer.send("receipt", variables, { to });
  expect(await read(id)).toEqual([
    "123456789012345678901 of 2026-06-30T22:30:00.000Z",
    "1. Juli 2026 0: 1.234.567.890.123.456.800,00\u00A0€!",
    "at once",
    "2026 5 0,05\u00A0€;",
  ]);
  const asJson = {
    placedAt: "2026-07-01T00:30:00+02:00",
    total: "123456789012345678901",
    lines: [{ on: "2025-12-31T23:00:00Z", cents: 5 }],
  };
  const { id: again } = await mailer.send("receipt", asJson, { to });
  expect(await read(again)).toEqual(await read(id));
});

test("a queued message is computed already, and a key has the same message for dates and for strings", async () => {
  const { newMailer, read } = await start();
  const store = temporaryFile();
  const mailer = newMailer({ templates: registry, store });
  const due = new Date("2026-08-01");
  const queued = await mailer.queue("receipt", { ...variables, due }, { to, key: "receipt-7" });
  const asJson = { ...variables, due: due.toISOString(), total: String(variables.total) };
  expect(await mailer.queue("receipt", asJson, { to, key: "receipt-7" })).toMatchObject({ duplicate: true });
  const other = newMailer({ store });
  const worker = other.work();
  await worker.idle();
  await worker.stop();
  const { sent } = (await other.outbox.byKey("receipt-7")) ?? {};
  expect(queued.id).toBeTruthy();
  expect(await read(sent?.id)).toEqual([
    "123456789012345678901 of 2026-06-30T22:30:00.000Z",
    "30. Juni 2026 22: 1.234.567.890.123.456.800,00\u00A0€!",
    "2026-08-01T00:00:00.000Z",
    "2025 5 0,05\u00A0€;",
  ]);
});

test("names what is not a date or a bigint before anything is sent", async () => {
  const { newMailer } = await start();
  const mailer = newMailer({ templates: registry });
  const wrong = { placedAt: new Date(Number.NaN), total: 1.5, lines: [{ on: () => new Date(), cents: 2 ** 60 }] };
  const error = await rejection(mailer.send("receipt", wrong, { to }));
  expect(error).toMatchObject({
    code: "invalid_variables",
    problems: [
      {
        path: "variables.placedAt",
        message: 'Invalid input: expected Date or a string such as "2026-03-14T09:30:00Z", received Invalid Date',
      },
      {
        path: "variables.total",
        message: 'Invalid input: expected bigint or a string such as "1250", received number',
      },
      {
        path: "variables.lines[0].on",
        message: 'Invalid input: expected Date or a string such as "2026-03-14T09:30:00Z", received function',
      },
      {
        path: "variables.lines[0].cents",
        message: 'Invalid input: expected bigint or a string such as "1250", received number',
      },
    ],
  });
});
