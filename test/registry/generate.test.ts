import { cp, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { generateRegistry } from "../../src/registry/generate.js";
import type { Registry } from "../../src/project/registry-types.js";
import { compiled, makeFolder, type TemplateFacts, write } from "./templates.js";

const environments = {
  production: {
    url: "https://api.example.com",
    domain: "example.com",
    version: "v4",
    keyVariable: "MAIL_KEY",
    namePrefix: "p-",
  },
  staging: {
    url: "https://api.example.com",
    domain: "staging.example.com",
    version: "v3",
    keyVariable: "MAIL_KEY",
    allowInsecure: true,
    recipients: { allow: ["@example.com"], redirectTo: "inbox@example.com" },
  },
} satisfies Registry["environments"];

/** Contains only what the command needs. */
const commands = { include: ["a"], exclude: ["b"], confirm: true };

async function generate(folder: string, templates: readonly TemplateFacts[], more: object = {}): Promise<string> {
  const results = await Promise.all(templates.map((facts) => compiled(folder, facts)));
  return generateRegistry({
    results,
    project: {
      folder,
      dataFolder: path.join(folder, ".lettershop"),
      environments,
      locale: "en-US",
      timeZone: "UTC",
      ...more,
    },
  });
}

/** Runs the generated file after removing its types, as a bundler does. */
async function run(folder: string, text: string): Promise<Registry> {
  const { transform } = await import("rolldown/utils");
  const { code } = await transform("templates.gen.ts", text);
  const file = path.join(folder, "templates.gen.mjs");
  await writeFile(file, code);
  const { templates }: { templates: Registry } = await import(pathToFileURL(file).href);
  return templates;
}

const context = { locale: "de-DE", timeZone: "UTC" };

test("a registry of inferred schemas consists only of TypeScript", async () => {
  const folder = await makeFolder();
  const text = await generate(
    folder,
    [
      {
        name: "welcome",
        subject: "",
        input: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
      },
      { name: "goodbye", description: "Sent when an account is closed.", input: { type: "object", properties: {} } },
    ],
    { defaultEnvironment: "production" },
  );
  expect(text).toMatchInlineSnapshot(`
    "// Written by \`templates types\`. To change it, change the templates and run that again.
    /* eslint-disable */
    import type { Registry } from "lettershop/send";

    /** The variables of the template "goodbye". Sent when an account is closed. */
    export type GoodbyeVariables = Record<string, never>;

    /** What the tags of the template "goodbye" see: its variables after parsing by the schema, and what \`derive\` adds. */
    export type GoodbyeFilledVariables = Record<string, never>;

    /** The variables of the template "welcome". */
    export interface WelcomeVariables {
      name: string;
    }

    /** What the tags of the template "welcome" see: its variables after parsing by the schema, and what \`derive\` adds. */
    export interface WelcomeFilledVariables {
      name: string;
    }

    /** Each template's variables, by its name. */
    export interface TemplateVariables {
      goodbye: GoodbyeVariables;
      welcome: WelcomeVariables;
    }

    /** What each template's tags see, by its name. */
    export interface FilledVariables {
      goodbye: GoodbyeFilledVariables;
      welcome: WelcomeFilledVariables;
    }

    /** The templates without a subject: each message needs its own. */
    export type TemplatesWithoutSubject = "welcome";

    export const templates: Registry<TemplateVariables, TemplatesWithoutSubject> = {
      environments: {
        production: { url: "https://api.example.com", domain: "example.com", version: "v4", keyVariable: "MAIL_KEY", namePrefix: "p-" },
        staging: { url: "https://api.example.com", domain: "staging.example.com", version: "v3", keyVariable: "MAIL_KEY", allowInsecure: true, recipients: { allow: ["@example.com"], redirectTo: "inbox@example.com" } },
      },
      defaultEnvironment: "production",
      locale: "en-US",
      timeZone: "UTC",
      templates: {
        "goodbye": {
          hash: "hash of goodbye",
          subject: "Hi",
          contract: {"input":{"type":"object","properties":{}},"conditions":[]},
        },
        "welcome": {
          hash: "hash of welcome",
          subject: "",
          contract: {"input":{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]},"conditions":[]},
        },
      },
    };
    "
  `);
  expect((await run(folder, text)).templates["welcome"]).not.toHaveProperty("schema");
});

const shop = {
  "templates/_shared/money.ts": `
    export enum Currency { Euro = "EUR", Dollar = "USD" }
    export const templates = "a name that the registry has too";
    export const modules = [templates];
    export function money(amount: number, currency: Currency, locale: string): string {
      return new Intl.NumberFormat(locale, { style: "currency", currency }).format(amount);
    }`,
  "templates/receipt/variables.ts": `
    import { z } from "zod";
    import { Currency, modules, money } from "../_shared/money.js";
    const order = z.object({ total: z.number().describe("In euros."), date: z.coerce.date() });
    class ReceiptVariables {}
    export default z.object({ order, note: z.string().default("Thank you: \${total} \\\`tea\\\`") });
    export function derive({ order }: { order: z.output<typeof order> }, { locale }: { locale: string }) {
      return { total: money(order.total, Currency.Euro, locale), class: ReceiptVariables.name, modules, year: order.date.getUTCFullYear() };
    }`,
  "templates/refund/variables.ts": `
    import * as z from "zod/v4";
    import { createHash } from "node:crypto";
    import { Currency, money } from "../_shared/money";
    import labels from "../_shared/labels.json";
    import { shout } from "a-package";
    const schema = z.object({ amount: z.number() });
    export default schema;
    export const derive = (variables: z.infer<typeof schema>, context: { locale: string }) => ({
      amount: shout(labels.amount) + money(variables.amount, Currency.Dollar, context.locale),
      hash: createHash("sha256").update("x").digest("hex").length,
    });`,
  "templates/bare/variables.ts": `import { z } from "zod"; export default z.object({ code: z.string() });`,
  "templates/_shared/labels.json": `{ "amount": "amount " }`,
  "node_modules/a-package/package.json": `{ "name": "a-package", "main": "index.cjs" }`,
  "node_modules/a-package/index.cjs": `exports.shout = (text) => text.toUpperCase();`,
};

const shopTemplates: TemplateFacts[] = [
  {
    name: "receipt",
    variablesFile: "templates/receipt/variables.ts",
    derived: { type: "object", properties: { total: { type: "string" } }, required: ["total"] },
    printed: ["total"],
  },
  {
    name: "refund",
    variablesFile: "templates/refund/variables.ts",
    derived: { type: "object", properties: { amount: { type: "string" } }, required: ["amount"] },
  },
  { name: "bare", variablesFile: "templates/bare/variables.ts" },
  { name: "plain", input: { type: "object", properties: { ok: { type: "boolean" } } } },
];

test("schema and derive run in the application, and contain all of their imports except zod", async () => {
  const folder = await makeFolder();
  await write(folder, shop);
  const text = await generate(folder, shopTemplates);
  const application = await makeFolder();
  const { templates } = await run(application, text);

  const { receipt, refund, bare, plain } = templates;
  const parsed = receipt?.schema?.safeParse({ order: { total: 4.5, date: "2026-11-20" } });
  expect(parsed).toMatchObject({
    success: true,
    data: { note: "Thank you: ${total} `tea`", order: { date: new Date("2026-11-20") } },
  });
  expect(receipt?.derive?.(parsed?.success === true ? (parsed.data as never) : (undefined as never), context)).toEqual({
    total: "4,50\u00a0€",
    class: "ReceiptVariables",
    modules: ["a name that the registry has too"],
    year: 2026,
  });
  expect(receipt?.contract.printed).toEqual(["total"]);
  expect(refund?.contract).not.toHaveProperty("printed");
  expect(refund?.derive?.({ amount: 3 } as never, context)).toEqual({ amount: "AMOUNT 3,00\u00a0$", hash: 64 });
  expect(bare?.derive).toBeUndefined();
  expect(bare?.schema?.safeParse({ code: 7 }).success).toBe(false);
  expect(plain?.schema).toBeUndefined();
});

test("zod is imported so that esbuild can remove what the schemas don't use", async () => {
  const folder = await makeFolder();
  await write(folder, {
    "templates/bare/variables.ts": `import { z } from "zod"; export default z.object({ code: z.string() });`,
    "templates/mixed/variables.ts": `import { z, ZodError } from "zod/v4"; export default z.object({ code: z.string() }).refine(() => ZodError);`,
  });
  const bare: TemplateFacts = { name: "bare", variablesFile: "templates/bare/variables.ts" };
  expect(await generate(folder, [bare])).toContain('import * as z from "zod";');
  const mixed: TemplateFacts = { name: "mixed", variablesFile: "templates/mixed/variables.ts" };
  const text = await generate(folder, [bare, mixed]);
  expect(text.match(/^import .* from "zod.*$/gm)?.toSorted()).toEqual([
    'import * as z from "zod";',
    expect.stringMatching(/^import \{ ZodError, z as z\$1 \} from "zod\/v4";$/),
  ]);
});

test("imports only zod and parts of Node, and contains nothing about the machine that generated it", async () => {
  const folder = await makeFolder();
  await write(folder, shop);
  const text = await generate(folder, shopTemplates);
  const imported = [...text.matchAll(/^import .*?"([^"]+)";$/gm)].map(([, specifier]) => specifier);
  expect(new Set(imported)).toEqual(new Set(["lettershop/send", "zod", "zod/v4", "node:crypto"]));
  expect(text).not.toContain(folder);
  expect(text).not.toContain("file:");
  expect(text.match(/new Intl\.NumberFormat/g)).toHaveLength(1);
  expect(text.match(/^\/\/ .*\.[a-z]+$/gm)).toEqual([
    "// templates/bare/variables.ts",
    "// templates/receipt/variables.ts",
    "// templates/_shared/labels.json",
    "// templates/refund/variables.ts",
  ]);
  expect(text.startsWith("// Written by `templates types`")).toBe(true);
  expect(text.split("\n")[1]).toMatch(/^\/\/ @ts-nocheck /);
  expect(await readdir(path.join(folder, ".lettershop", "cache"))).toEqual([]);
});

test("the same templates give the same content, wherever they are and in any order", async () => {
  const [here, there] = [await makeFolder(), await makeFolder()];
  await write(here, shop);
  await cp(path.join(here, "templates"), path.join(there, "templates"), { recursive: true });
  await cp(path.join(here, "node_modules", "a-package"), path.join(there, "node_modules", "a-package"), {
    recursive: true,
  });
  const first = await generate(here, shopTemplates);
  expect(await generate(here, shopTemplates)).toBe(first);
  expect(await generate(there, [...shopTemplates].reverse())).toBe(first);
});

test("a template with errors is left out", async () => {
  const folder = await makeFolder();
  const { compiled: _, ...broken } = await compiled(folder, { name: "broken" });
  const text = await generateRegistry({
    results: [broken, await compiled(folder, { name: "sound" })],
    project: { folder, dataFolder: folder, environments: {}, locale: "en-US", timeZone: "UTC" },
  });
  expect(text).not.toContain("broken");
  expect(text).toContain("SoundVariables");
});

test.each([
  [
    `const rates = await Promise.resolve({}); export const derive = async () => await rates;`,
    2,
    "top-level await is not supported",
  ],
  [`export const derive = () => ({ path: import.meta.url });`, 2, "runs this module from another place"],
  [`export const derive = () => ({ path: __dirname });`, 2, "runs this module from another place"],
])("code that can't run in the application is rejected with its position: %s", async (code, line, reason) => {
  const folder = await makeFolder();
  await write(folder, {
    "templates/receipt/variables.ts": `import { z } from "zod"; export default z.object({});\n${code}`,
  });
  const generating = generate(folder, [{ name: "receipt", variablesFile: "templates/receipt/variables.ts" }]);
  await expect(generating).rejects.toMatchObject({
    code: "module",
    message: expect.stringContaining(reason),
    at: { file: path.join(folder, "templates/receipt/variables.ts"), line },
  });
});

test("a missing module is an error with its position", async () => {
  const folder = await makeFolder();
  await write(folder, { "templates/receipt/variables.ts": `export default {};` });
  const results = [await compiled(folder, { name: "plain" }), { ...(await compiled(folder, { name: "receipt" })) }];
  await write(folder, { "templates/receipt/variables.ts": `import { x } from "./missing.js";\nexport default x;` });
  const broken = results.map((result) =>
    result.name === "receipt"
      ? {
          ...result,
          template: { ...result.template, variablesFile: path.join(folder, "templates/receipt/variables.ts") },
        }
      : result,
  );
  const generating = generateRegistry({
    results: broken,
    project: { folder, dataFolder: folder, environments: {}, locale: "en-US", timeZone: "UTC" },
  });
  await expect(generating).rejects.toMatchObject({
    code: "module",
    at: { file: path.join(folder, "templates/receipt/variables.ts"), line: 1 },
  });
});

test("reading it back finds every environment, but no key", async () => {
  const folder = await makeFolder();
  const { production, staging } = environments;
  const text = await generate(folder, [], { environments: { production: { ...production, ...commands }, staging } });
  const registry = await run(folder, text);
  expect(registry).toEqual({ environments, locale: "en-US", timeZone: "UTC", templates: {} });
  expect(await readFile(path.join(folder, "templates.gen.mjs"), "utf8")).not.toMatch(/apiKey/);
});
