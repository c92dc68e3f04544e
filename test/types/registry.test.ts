import { readdir } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { BIGINT_SCHEMA, DATE_SCHEMA } from "../../src/mustache/javascript-values.js";
import type { TemplateFacts } from "../registry/templates.js";
import { type ApplicationOptions, compile, makeApplication, runFile } from "./application.js";

const templates: TemplateFacts[] = [
  {
    name: "receipt",
    variablesFile: "templates/receipt/variables.ts",
    derived: { type: "object", properties: { total: { type: "string" } }, required: ["total"] },
  },
  {
    name: "password-reset",
    input: {
      type: "object",
      properties: { url: { type: "string" }, minutes: { type: "integer" } },
      required: ["url", "minutes"],
    },
  },
  {
    name: "goodbye",
    input: { type: "object", properties: {} },
    html: '<p>Bye `${x}</p><img src="assets/logo.png">',
    text: "Bye\r\n",
  },
  { name: "news", subject: "", input: { type: "object", properties: {} } },
  {
    name: "invoice",
    input: {
      type: "object",
      properties: { at: DATE_SCHEMA, total: BIGINT_SCHEMA, due: { anyOf: [DATE_SCHEMA, { type: "null" }] } },
      required: ["at", "total"],
    },
  },
  { name: "2fa-code", input: { type: "object", properties: { code: { type: "string" } }, required: ["code"] } },
  { name: "class", input: { type: "object", properties: { room: { type: "string" } } } },
  { name: "class_", input: { type: "object", properties: { class: { type: "string" } } } },
];

const receipt = `
import { z } from "zod";
const item = z.object({ name: z.string(), price: z.number(), gift: z.boolean().optional() });
export default z.object({
  order: z.object({ number: z.string(), items: z.array(item) }),
  delivery: z.enum(["post", "courier"]),
  note: z.string().nullable().optional(),
});
export function derive({ order }, { locale }) {
  return { total: order.items.reduce((sum, { price }) => sum + price, 0).toLocaleString(locale) };
}`;

const start = `
import { createMailer, type Mailer, type RejectedError, SendError } from "lettershop/send";
import { templates, type FilledVariables, type PasswordResetVariables, type ReceiptFilledVariables, type ReceiptVariables, type TemplatesWithoutSubject, type TemplateVariables } from "./templates.gen.js";
export const mailer: Mailer<TemplateVariables, TemplatesWithoutSubject> = createMailer({ templates, url: "http://127.0.0.1:1", domain: "example.com", apiKey: "key", from: "shop" });
const to = "ada@example.com";
const order = { number: "7", items: [{ name: "Tea", price: 4 }] };
`;

const right = `${start}
const variables: ReceiptVariables = { order, delivery: "post" };
const reset: PasswordResetVariables = { url: "https://example.com", minutes: 5 };
const frozen = Object.freeze([{ name: "Tea", price: 4, gift: undefined }] as const);
export function lineOf({ total, note, order }: ReceiptFilledVariables): string {
  const [item] = order.items;
  return [total.toUpperCase(), note?.trim(), item?.gift === null ? "no gift" : "", item?.price.toFixed(2)].join();
}
export type Codes = TemplateVariables["2fa-code"] | FilledVariables["class"] | TemplateVariables["class_"];
export async function sendAll(): Promise<string> {
  await mailer.send("2fa-code", { code: "1" }, { to });
  await mailer.send("invoice", { at: new Date(0), total: 5n, due: undefined }, { to });
  await mailer.send("invoice", { at: new Date(0).toISOString(), total: 5, due: null }, { to });
  await mailer.send("class", { room: "1" }, { to });
  await mailer.send("class_", {}, { to });
  await mailer.send("receipt", variables, { to });
  await mailer.send("receipt", { order: { number: "7", items: frozen }, delivery: "courier", note: null }, { to: [to, { name: "Bob", email: to }], cc: undefined, subject: "Hi" });
  await mailer.send("password-reset", reset, { to, attachments: [{ filename: "a.txt", content: "aGk=" }, { path: "terms.pdf" }] });
  await mailer.send("goodbye", {}, { to });
  await mailer.send("news", {}, { to, subject: "News", priority: "high", expiresAfter: "10m", onUnknown: "resend", render: "local" });
  await mailer.queue("receipt", variables, { to, key: "receipt-7", sendAt: new Date(0), expiresAfter: 600_000 });
  await mailer.queueMessage({ to, subject: "Hi", text: "Hi", html: undefined, key: undefined });
  const { duplicate } = await mailer.send("receipt", variables, { to, key: "receipt-8", maxWait: 1000 });
  const again: boolean | undefined = duplicate ?? (await mailer.sendMessage({ to, subject: "Hi", text: "Hi", key: "hi" })).duplicate;
  void again;
  await mailer.sendMessage({ to, subject: "Hi", text: "Hi" });
  const { messageId } = await mailer.sendMessage({ to, subject: "Hi", html: "<p>Hi" });
  return messageId;
}
export function toldOf(error: unknown): string {
  if (!(error instanceof SendError)) throw error;
  if (error.code === "rejected") return error.serviceMessage;
  const rest: Exclude<SendError, RejectedError> = error;
  switch (rest.code) {
    case "invalid_message":
    case "invalid_variables": return rest.problems.map(({ path }) => path).join();
    case "rate_limited": return rest.until.toISOString();
    case "unknown_outcome": return rest.since?.toISOString() ?? "";
    case "in_doubt": return rest.id;
    case "unreachable": return rest.url;
    case "expired":
    case "store":
    case "aborted": return rest.message;
  }
}
export async function sendAny<Name extends keyof TemplateVariables>(name: Name, variables: TemplateVariables[Name]): Promise<void> {
  await mailer.send(name, variables, { to, subject: "Hi" });
}
`;

/** Each line is wrong within a function that is given what the tags see, and the compiler says so with this code. */
const wrongFilled: Record<string, string> = {
  "return filled.totl;": "TS2551",
  "return filled.note;": "TS2322",
  "return filled.order.items[0].name;": "TS2532",
  "return String(filled.total * 2);": "TS2362",
  "return filled.order__is_present;": "TS2339",
};

/** Each line is wrong where an error of a send was caught, and the compiler says so with this code. */
const wrongErrors: Record<string, string> = {
  "return error.serviceMessage;": "TS2339",
  'return error.code === "expired" ? error.expectedWaitMs : 0;': "TS2339",
  'return error.code === "reject";': "TS2367",
  "return new SendError();": "TS2511",
};

/** Each line is wrong, and the compiler says so with this code. */
const wrong: Record<string, string> = {
  'await mailer.send("reciept", { order, delivery: "post" }, { to });': "TS2345",
  'await mailer.send("receipt", { order }, { to });': "TS2741",
  'await mailer.send("invoice", { at: new Date(0), total: true }, { to });': "TS2322",
  'await mailer.send("invoice", { at: 0, total: 5n }, { to });': "TS2322",
  'await mailer.send("receipt", { order: { number: 7, items: [] }, delivery: "post" }, { to });': "TS2322",
  'await mailer.send("receipt", { order, delivery: "pigeon" }, { to });': "TS2322",
  'await mailer.send("receipt", { order, delivery: "post", nota: "x" }, { to });': "TS2353",
  'await mailer.send("receipt", { order: { number: "7", items: [{ name: "Tea", prise: 4 }] }, delivery: "post" }, { to });':
    "TS2561",
  'await mailer.send("receipt", { url: "https://example.com", minutes: 5 }, { to });': "TS2353",
  'await mailer.send("password-reset", { url: "https://example.com", minutes: "5" }, { to });': "TS2322",
  'await mailer.send("goodbye", { name: "Ada" }, { to });': "TS2322",
  'await mailer.send("receipt", { order, delivery: "post" });': "TS2554",
  'await mailer.send("receipt", { order, delivery: "post" }, {});': "TS2741",
  'await mailer.send("receipt", { order, delivery: "post" }, { to, form: "shop" });': "TS2353",
  'await mailer.send("receipt", { order, delivery: "post" }, { to, attachments: [{ content: "aGk=" }] });': "TS2322",
  'await mailer.send("receipt", { order, delivery: "post" }, { to, attachments: [{ filename: "a", content: "aGk=", path: "b" }] });':
    "TS2322",
  'await mailer.send("news", {}, { to });': "TS2345",
  'await mailer.send("news", {}, { to, subject: undefined });': "TS2322",
  'await mailer.queue("news", {}, { to, key: "news-7" });': "TS2345",
  'await mailer.send("goodbye", {}, { to, sendAt: new Date(0) });': "TS2353",
  'await mailer.queue("goodbye", {}, { to, maxWait: 5 });': "TS2353",
  'await mailer.send("goodbye", {}, { to, html: "<p>Bye" });': "TS2353",
  'await mailer.send("goodbye", {}, { to, expiresAfter: "10 minutes" });': "TS2322",
  'await mailer.send("goodbye", {}, { to, priority: "low" });': "TS2322",
  'await mailer.queueMessage({ to, subject: "Hi", key: "a" });': "TS2345",
  'await mailer.sendMessage({ to, subject: "Hi" });': "TS2345",
  'await mailer.sendMessage({ to, text: "Hi" });': "TS2345",
  'await mailer.sendMessage({ to, subject: "Hi", text: "Hi", variables: {} });': "TS2353",
};

const strictest = {
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noImplicitOverride: true,
  noPropertyAccessFromIndexSignature: true,
  noUnusedLocals: true,
  isolatedModules: true,
  isolatedDeclarations: true,
  erasableSyntaxOnly: true,
  declaration: true,
  target: "ES2022",
  rootDir: "src",
  outDir: "out",
  types: ["node"],
  skipLibCheck: true,
};

const settings: Record<string, Pick<ApplicationOptions, "packageJson" | "compilerOptions">> = {
  "ES modules": {
    packageJson: { type: "module" },
    compilerOptions: {
      ...strictest,
      module: "NodeNext",
      verbatimModuleSyntax: true,
      // Checking the declarations of Node and zod takes five times as long as the rest: once is enough for ours.
      skipLibCheck: false,
      lib: ["ES2022"],
    },
  },
  CommonJS: { packageJson: {}, compilerOptions: { ...strictest, module: "NodeNext" } },
  "CommonJS behind a bundler's resolution": {
    packageJson: {},
    compilerOptions: { ...strictest, module: "CommonJS", moduleResolution: "Bundler" },
  },
};

const check = `
import { templates } from "./templates.gen.js";
const { receipt, goodbye } = templates.templates;
console.log(receipt.schema?.safeParse({ order: { number: "7", items: [] }, delivery: "post" }).success);
void goodbye.bodies?.().then(({ html, text }) => console.log(html("https://cdn"), JSON.stringify(text(""))));
`;

const printed = 'true\n<p>Bye `${x}</p><img src="https://cdn/logo.png"> "Bye\\r\\n"';

/** What is wrong in a file, a function a line. */
const wrongFiles = [
  { file: "src/wrong.ts", lines: wrong, signature: "(): Promise<void>" },
  { file: "src/filled.ts", lines: wrongFilled, signature: "(filled: ReceiptFilledVariables): string" },
  { file: "src/error.ts", lines: wrongErrors, signature: "(error: SendError): unknown" },
].map(({ file, lines, signature }) => {
  const functions = Object.keys(lines).map(
    (line, index) => `export ${line.startsWith("await") ? "async " : ""}function f${index}${signature} { ${line} }`,
  );
  const before = start.split("\n").length;
  return {
    file,
    text: [start, ...functions, ""].join("\n"),
    complaints: Object.values(lines).map((code, index) => `${file}:${before + 1 + index} ${code}`),
  };
});

/** That the beginning declares more than a file uses. */
const unused = /^src\/(?:wrong|filled|error)\.ts:\d+ TS6\d+$/;

test.each(Object.entries(settings))(
  "%s: what is right compiles and runs, and what is wrong does not compile",
  async (name, options) => {
    // A mistake is one whatever finds the modules: every run tries two of the ways.
    const tried = process.env["MODE"] === "long" || !name.includes("bundler") ? wrongFiles : [];
    const application = await makeApplication({
      templates,
      ...options,
      files: {
        "templates/receipt/variables.ts": receipt,
        "src/app.ts": right,
        "src/api.ts": 'export * from "lettershop/api";',
        "src/check.ts": check,
        ...Object.fromEntries(tried.map(({ file, text }) => [file, text])),
      },
      bodies: true,
    });
    const said = (await compile(application)).filter((complaint) => !unused.test(complaint));
    expect(said.toSorted()).toEqual(tried.flatMap(({ complaints }) => complaints).toSorted());
    expect(await runFile(application, "out/check.js")).toBe(printed);
  },
);

test("the registry bundles, and runs without anything but zod", async () => {
  const application = await makeApplication({
    templates,
    packageJson: { type: "module" },
    compilerOptions: strictest,
    files: { "templates/receipt/variables.ts": receipt },
    bodies: true,
  });
  const { rolldown } = await import("rolldown");
  const build = await rolldown({ input: path.join(application.folder, "src/templates.gen.ts"), platform: "node" });
  const bundle = path.join(application.folder, "bundle");
  await build.write({ dir: bundle, format: "esm", entryFileNames: "[name].mjs", chunkFileNames: "[name].mjs" });
  const { templates: registry } = await import(pathToFileURL(path.join(bundle, "templates.gen.mjs")).href);
  expect(await readdir(bundle)).toContain("goodbye.mjs");
  expect((await registry.templates.goodbye.bodies()).html("https://cdn")).toContain("https://cdn/logo.png");
  expect(registry.templates["password-reset"]).not.toHaveProperty("schema");
  expect(
    registry.templates.receipt.derive({ order: { items: [{ price: 1000 }, { price: 5 }] } }, { locale: "de-DE" }),
  ).toEqual({ total: "1.005" });
});

test.skipIf(!process.features.typescript)("Node runs it as it is, taking the types away", async () => {
  const files = { "templates/receipt/variables.ts": receipt, "src/check.ts": check.replace("gen.js", "gen.ts") };
  const application = await makeApplication({
    templates,
    packageJson: { type: "module" },
    compilerOptions: { ...strictest, module: "NodeNext", rewriteRelativeImportExtensions: true },
    files,
    bodies: true,
  });
  expect(await compile(application)).toEqual([]);
  expect(await runFile(application, "src/check.ts")).toBe(printed);
  expect(await runFile(application, "out/check.js")).toBe(printed);
});
