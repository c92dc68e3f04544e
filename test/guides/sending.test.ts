import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createClient } from "../../src/api/client.js";
import { bodiesSpecifier, generateBodies } from "../../src/registry/bodies.js";
import { generateRegistry } from "../../src/registry/generate.js";
import type { QueueOptions, SendOptions } from "../../src/send/index.js";
import { OUTBOX_STATES } from "../../src/send/store/outbox.js";
import { type RunningService, startService } from "../../src/service/index.js";
import { compiled, makeFolder, repository, type TemplateFacts } from "../registry/templates.js";
import { compile } from "../types/application.js";
import { run, writeApplication } from "./application.js";
import { sendErrorCodes } from "./send-error-codes.js";

const guide = readFileSync(path.join(repository, "docs/guides/sending.md"), "utf8");

const order = { type: "object", properties: { number: { type: "string" } }, required: ["number"] } as const;
const templates: TemplateFacts[] = [
  {
    name: "receipt",
    subject: "Receipt {{{order.number}}}",
    html: "<p>{{order.number}}</p>",
    text: "{{{order.number}}}",
    input: { type: "object", properties: { order }, required: ["order"] },
  },
  {
    name: "sign-in-code",
    subject: "{{{code}}}",
    html: "<p>{{code}}</p>",
    text: "{{{code}}}",
    input: { type: "object", properties: { code: { type: "string" } }, required: ["code"] },
    metadata: { priority: "high", expiresAfter: "10m", onUnknown: "resend" },
  },
];

test("the guide's examples compile and run, one after the other", async () => {
  const service = await startService({ data: ":memory:", port: 0, limits: false });
  onTestFinished(() => service.close());
  await deploy(service);
  const code = [...guide.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, block = ""]) => block).join("\n");
  const given = `
    const order = { number: "1042" };
    const user = { name: "Lovelace, Ada", email: "ada@example.com" };
    const pdf = Buffer.from("%PDF-1.4 a receipt");
  `;
  const [imports = "", ...rest] = code.split(/(?<=templates\.gen\.js";\n)/);
  const folder = await makeApplication(service, `${imports}${given}${rest.join("")}void healthy;\n`);
  expect(await compile({ folder })).toEqual([]);

  const { status, printed } = await run(folder, "out/guide.js", { MAIL_API_KEY: "local" });
  const [, problems = ""] = /^```\n(The message can't be sent:[^]*?)\n```$/m.exec(guide) ?? [];
  expect(printed).toContain(`invalid_message\n${problems}\n`);
  expect(printed).toContain("queued true\n");
  expect(printed).toMatch(/^true$/m);
  expect(printed).toContain("delivered accepted");
  expect(status).toBe(0);

  const subjects = service.mail.list().map(({ subject }) => subject);
  expect(subjects.toSorted()).toEqual(
    [
      "4711",
      "Again: 1042",
      "Nightly export",
      "Order 1042 is paid",
      ...Array<string>(3).fill("Receipt 1042"),
    ].toSorted(),
  );
});

/** The names in backticks in the first column of the table below a heading. */
function firstColumn(heading: string): string[] {
  const [, section = ""] = guide.split(`## ${heading}\n`);
  const [text = ""] = section.split(/^##+ /m);
  const cells = [...text.matchAll(/^\| ([^|]+) \|/gm)].map(([, cell = ""]) => cell);
  return cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name));
}

test("the guide's tables are complete", () => {
  const options: Record<keyof SendOptions | keyof QueueOptions, true> = {
    to: true,
    cc: true,
    bcc: true,
    replyTo: true,
    from: true,
    subject: true,
    attachments: true,
    render: true,
    priority: true,
    expiresAt: true,
    expiresAfter: true,
    onUnknown: true,
    signal: true,
    timeoutMs: true,
    maxWait: true,
    key: true,
    sendAt: true,
    transaction: true,
  };
  expect(firstColumn("The message").toSorted()).toEqual(Object.keys(options).toSorted());
  expect(firstColumn("Errors").slice(1).toSorted()).toEqual(sendErrorCodes);
  expect(firstColumn("The outbox").toSorted()).toEqual([...OUTBOX_STATES].toSorted());
});

async function deploy(service: RunningService): Promise<void> {
  const client = createClient({ apiKey: service.apiKey, baseUrl: service.url });
  onTestFinished(() => client.close());
  for (const { name, subject = "", html = "", text = "" } of templates)
    await client.templates.create(service.domain, { name, subject, html_body: html, text_body: text });
}

async function makeApplication({ url, domain }: RunningService, code: string): Promise<string> {
  const folder = await makeFolder();
  const results = await Promise.all(templates.map((facts) => compiled(folder, facts)));
  const registryFile = path.join(folder, "src/templates.gen.ts");
  const environments = { production: { url, domain, version: "v4", keyVariable: "MAIL_API_KEY" } } as const;
  const project = { folder, dataFolder: folder, environments, locale: "en-US", timeZone: "UTC" };
  const registry = await generateRegistry({ results, project, bodiesSpecifier: bodiesSpecifier(registryFile, ".js") });
  const bodies = generateBodies({ results, registryFile, assets: undefined, imagesOf: () => [] });
  await writeApplication(folder, {
    files: {
      ...Object.fromEntries(bodies.map(({ file, text }) => [path.relative(folder, file), text])),
      "src/templates.gen.ts": registry,
      "src/guide.ts": code,
      "out/terms.txt": "Terms",
    },
  });
  return folder;
}
