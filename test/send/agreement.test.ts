import { writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { transform } from "rolldown/utils";
import { expect, onTestFinished, test } from "vitest";
import { createModuleHost } from "../../src/process/host.js";
import { generateRegistry } from "../../src/registry/generate.js";
import { compileAll } from "../../src/render/compile.js";
import { createMailer, type Registry } from "../../src/send/index.js";
import { loadTemplates } from "../../src/project/load-templates.js";
import { answerJson, serve } from "../api/servers.js";
import { makeFolder, write } from "../registry/templates.js";
import { VirtualClock } from "./virtual-clock.js";

const files = {
  "templates/_shared/day.ts": `export const day = (date: Date, locale: string, timeZone: string) => date.toLocaleDateString(locale, { timeZone });`,
  "templates/receipt/template.json": `{ "subject": "Order {{order.number}}" }`,
  "templates/receipt/receipt.html": `<!doctype html><title>x</title><p>{{order.number}} of {{placedOn}}: {{total}} {{currency}}</p>{{#order.items}}<p>{{name}}{{#note}} ({{note}}){{/note}}</p>{{/order.items}}`,
  "templates/receipt/variables.ts": `
    import { z } from "zod";
    import { day } from "../_shared/day.js";
    const item = z.object({ name: z.string(), note: z.string().optional(), price: z.number() });
    const schema = z.object({ order: z.object({ number: z.string().trim(), placedAt: z.date(), items: z.array(item) }), currency: z.string().default("EUR") });
    export default schema;
    export function derive({ order }: z.output<typeof schema>, { locale, timeZone }: { locale: string; timeZone: string }) {
      return { placedOn: day(order.placedAt, locale, timeZone), total: order.items.reduce((sum, { price }) => sum + price, 0) };
    }`,
  "templates/receipt/fixtures/default.json": `{ "order": { "number": " 7 ", "placedAt": "2026-11-20T23:30:00Z", "items": [{ "name": "Tea", "price": 4 }, { "name": "Jam", "note": "sweet", "price": 3 }] } }`,
  "templates/receipt/fixtures/empty.json": `{ "order": { "number": "8", "placedAt": "2026-11-20", "items": [] }, "currency": "USD" }`,
  "templates/hello.html": `<p>Hello {{name}}</p>`,
};

test("sends the same variables as the fixture's preview", async () => {
  const folder = await makeFolder();
  await write(folder, files);
  const place = { locale: "de-DE", timeZone: "Europe/Berlin" };
  const dataFolder = path.join(folder, ".lettershop");
  const host = createModuleHost({ cacheFolder: path.join(dataFolder, "modules") });
  onTestFinished(() => host.close());
  const { templates } = loadTemplates([path.join(folder, "templates")]);
  const results = await compileAll(templates, { host, folder, ...place });
  const compiled = results.flatMap((result) => result.compiled ?? []);
  expect(compiled.map(({ name }) => name)).toEqual(["hello", "receipt"]);

  const text = await generateRegistry({
    results,
    project: { folder, dataFolder, environments: {}, locale: "en-US", timeZone: "UTC" },
  });
  const file = path.join(folder, "templates.gen.mjs");
  await writeFile(file, (await transform("templates.gen.ts", text)).code);
  const registry: { templates: Registry } = await import(pathToFileURL(file).href);

  const { url, seen } = await serve((_, response) => answerJson(response, 200, { id: "1.a", message_id: "<1>" }));
  const mailer = createMailer({
    ...registry,
    ...place,
    url,
    domain: "example.com",
    apiKey: "key-of-the-test",
    from: "shop",
    clock: new VirtualClock(),
  });
  onTestFinished(() => mailer.close());
  const fixtures = compiled.flatMap(({ name, fixtures: list }) =>
    list.map((fixture) => ({ ...fixture, template: name })),
  );
  for (const { template, input } of fixtures)
    await mailer.send(template, input, { to: "ada@example.com", subject: "Hi" });
  const sends = seen.filter(({ method }) => method === "POST");
  expect(sends.map(({ body }): unknown => JSON.parse(body).variables)).toEqual(
    fixtures.map(({ variables }) => variables),
  );
  expect(fixtures).toHaveLength(2);
  expect(fixtures[0]?.variables).toMatchObject({ placedOn: "21.11.2026", total: 7, currency: "EUR" });
});
