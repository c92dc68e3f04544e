import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { transform } from "rolldown/utils";
import { expect, onTestFinished, test } from "vitest";
import type { Registry } from "../../src/project/registry-types.js";
import { createMailer } from "../../src/send/index.js";
import { startService } from "../../src/service/index.js";
import { TestProject } from "./project.js";

const component = (price: string, order: string) => `
export const subject = ({ name }: { name: string }) => "For " + name.toUpperCase();
export default function Receipt({ name, items }: { name: string; items: { cents: number }[] }) {
  return (
    <html lang="en">
      <head><title>Receipt</title></head>
      <body>
        {items.toSorted((a, b) => ${order}).map((item) => <p>{${price}}</p>)}
        {items.reduce((sum, item) => sum + item.cents, 0) > 500 && <p>Thanks</p>}
      </body>
    </html>
  );
}
`;

const VARIABLES = { name: "Ada", items: [{ cents: 250 }, { cents: 1250 }] };

async function setUp(template: string, fixture: object) {
  const service = await startService({ data: ":memory:", port: 0, limits: false });
  onTestFinished(() => service.close());
  const { url, domain, apiKey } = service;
  const project = new TestProject({
    "lettershop.config.json": JSON.stringify({ environments: { production: { url, domain } } }),
    "templates/receipt/receipt.tsx": template,
    "templates/receipt/fixtures/default.json": JSON.stringify(fixture),
  });
  const sync = (...flags: readonly string[]) =>
    project.run(["sync", "--env", "production", ...flags], { LETTERSHOP_API_KEY: apiKey });
  const application = async (version: string) => {
    expect(await project.run(["types"])).toMatchObject({ code: 0 });
    const { code } = await transform("templates.gen.ts", readFileSync(project.path("templates.gen.ts"), "utf8"));
    project.write({ [`${version}.mjs`]: code });
    const { templates }: { templates: Registry } = await import(pathToFileURL(project.path(`${version}.mjs`)).href);
    const mailer = createMailer({ templates, environment: "production", apiKey, from: "shop" });
    onTestFinished(() => mailer.close());
    return async (variables: Record<string, unknown>) => {
      const { id } = await mailer.send("receipt", variables, { to: "ada@example.org" });
      const { subject, text } = (await service.mail.open(id)) ?? {};
      return [subject, ...(text ?? "").trim().split(/\n+/)];
    };
  };
  return { project, sync, application };
}

test("while an expression changes, the new application fills the deployed template and the new one", async () => {
  const { project, sync, application } = await setUp(
    component("(item.cents / 100).toFixed(2)", "a.cents - b.cents"),
    VARIABLES,
  );
  const before = ["For ADA", "2.50", "12.50", "Thanks"];
  const after = ["For ADA", "€12.5", "€2.5", "Thanks"];

  const old = await application("old");
  expect(await sync()).toMatchObject({ code: 0 });
  expect(await old(VARIABLES)).toEqual(before);

  project.write({
    "templates/receipt/receipt.tsx": component("`€${(item.cents / 100).toFixed(1)}`", "b.cents - a.cents"),
  });
  const held = await sync();
  expect(held).toMatchObject({ code: 1 });
  expect(held.stdout.replaceAll(/\s+/g, " ")).toContain("items[].cents is computed differently, so ");
  const current = await application("new");
  expect(await project.run(["types", "--check"])).toMatchObject({ code: 0 });
  expect(await Promise.all([old(VARIABLES), current(VARIABLES)])).toEqual([before, before]);

  expect(await sync("--allow-breaking", "receipt")).toMatchObject({ code: 0 });
  expect(await current(VARIABLES)).toEqual(after);
});

test("while a variable gets another name, the new application passes both", async () => {
  const printing = (price: string, props: string) => `
export const subject = "Receipt";
export default function Receipt({ ${price} }: { ${props} }) {
  return <html lang="en"><head><title>Receipt</title></head><body><p>{(${price} / 100).toFixed(2)}</p></body></html>;
}
`;
  const { project, sync, application } = await setUp(printing("cents", "cents: number"), { cents: 1250 });
  const old = await application("old");
  expect(await sync()).toMatchObject({ code: 0 });
  expect(await old({ cents: 1250 })).toEqual(["Receipt", "12.50"]);

  const rename = (props: string) =>
    project.write({
      "templates/receipt/receipt.tsx": printing("price", props),
      "templates/receipt/fixtures/default.json": JSON.stringify({ price: 1250 }),
    });
  rename("price: number");
  const { stdout } = await project.run(["types", "--check"]);
  expect(stdout).toContain(
    "receipt: keep cents as an optional variable until you sync, because an earlier version computes with it",
  );
  rename("price: number; cents?: number");
  const current = await application("new");
  expect(await sync()).toMatchObject({ code: 1 });
  const both = { cents: 1250, price: 1250 };
  expect(await current(both)).toEqual(["Receipt", "12.50"]);

  expect(await sync("--allow-breaking", "receipt")).toMatchObject({ code: 0 });
  expect(await current(both)).toEqual(["Receipt", "12.50"]);
  expect((await project.run(["types", "--check"])).stdout).not.toContain("keep cents");
});
