import { expect, onTestFinished, test } from "vitest";
import { assetsOf } from "../../../src/send/compose.js";
import { createClient } from "../../../src/api/client.js";
import { InvalidMessageError } from "../../../src/send/errors.js";
import type { SendOptions } from "../../../src/send/message/options.js";
import { systemClock } from "../../../src/send/clock.js";
import { type CheckedMessage, type PrepareContext, prepareTemplateMessage } from "../../../src/send/message/prepare.js";
import { startService } from "../../../src/service/index.js";
import type { RegistryEntry, TemplateBodies } from "../../../src/project/registry-types.js";
import { rejection } from "../../api/servers.js";
import { lines } from "../collect.js";
import { registryOf } from "../registry.js";

const bodies: TemplateBodies = {
  html: (assets) =>
    `<img src="${assets}/logo.png"><p>{{order.number}}: {{total}}{{^order__note}} without{{/order__note}}{{#order.note}} ({{order.note}}){{/order.note}}</p>`,
  text: () => "{{{order.number}}}: {{{total}}}{{#order.note}} ({{{order.note}}}){{/order.note}}\n",
};

const { receipt } = registryOf().templates;

const entry: RegistryEntry = {
  ...receipt,
  contract: {
    ...receipt.contract,
    conditions: [{ name: "order__note", within: [], path: "order.note", test: { kind: "present" } }],
  },
  bodies: async () => bodies,
};

const order = { number: "<7> & 8", total: 12.5 };

interface Sending {
  readonly variables?: unknown;
  readonly more?: { readonly [Member in keyof RegistryEntry]?: RegistryEntry[Member] | undefined };
  readonly options?: Partial<SendOptions>;
}

function send(
  { variables = { order }, more = {}, options = {} }: Sending = {},
  preparation: Partial<PrepareContext> = {},
): Promise<CheckedMessage> {
  return prepareTemplateMessage("receipt", variables, { to: "ada@example.org", render: "local", ...options }, "send", {
    templates: new Map([["receipt", entryOf(more)]]),
    sender: { domain: "example.com", from: "shop" },
    context: { locale: "en-US", timeZone: "UTC" },
    clock: { ...systemClock, time: () => 0 },
    timeoutMs: 30_000,
    publish: () => undefined,
    remoteName: (name) => name,
    ...preparation,
  });
}

function entryOf(more: Sending["more"]): RegistryEntry {
  const { bodies: own, ...others } = { ...entry, ...more } as RegistryEntry;
  return { ...others, ...(own && { bodies: own }) };
}

async function problemsOf(message: Promise<CheckedMessage>): Promise<string[]> {
  const error = await rejection(message);
  if (!(error instanceof InvalidMessageError)) throw error;
  return lines(error.problems);
}

test("sends a locally filled message without its template", async () => {
  const { email, template } = await send({}, { assets: "https://cdn.example.com/mail/" });
  expect(email).toEqual({
    from: "shop",
    to: ["ada@example.org"],
    subject: "Order <7> & 8",
    html: '<img src="https://cdn.example.com/mail/logo.png"><p>&lt;7&gt; &amp; 8: €12.50 without</p>',
    text: "<7> & 8: €12.50\n",
  });
  expect(template).toBe("receipt");
});

test("uses the mailer's rendering if the message sets none", async () => {
  const byMailer = await send({ options: { render: undefined } }, { render: "local" });
  expect(byMailer.email).not.toHaveProperty("template");
  const byMessage = await send({ options: { render: "template" } }, { render: "local" });
  expect(byMessage.email).toMatchObject({ template: "receipt" });
  expect(byMessage.email).not.toHaveProperty("html");
});

test("reads the same as when the service fills the template", async () => {
  const service = await startService({ data: ":memory:", port: 0 });
  onTestFinished(() => service.close());
  const client = createClient({ apiKey: service.apiKey, baseUrl: service.url });
  onTestFinished(() => client.close());
  await client.templates.create(service.domain, {
    name: "receipt",
    subject: entry.subject,
    html_body: bodies.html("https://cdn"),
    text_body: bodies.text(""),
  });
  const variables = { order: { ...order, note: `"{{order.number}}" 'é' {{{x}}} {{/y}}` } };
  const read = async (render: "local" | "template") => {
    const { email } = await send({ variables, options: { render } }, { assets: "https://cdn" });
    const { id } = await client.emails.send(service.domain, email);
    const { subject, html, text } = (await service.mail.open(id)) ?? {};
    return { subject, html, text };
  };
  const here = await read("local");
  expect(here).toEqual(await read("template"));
  expect(here.text).toContain("{{{x}}}");
});

test("never sends user input as Mustache, which the service would fill in a subject", async () => {
  const variables = { order: { ...order, number: "{{total}}" } };
  expect(await problemsOf(send({ variables }))).toEqual([
    "subject: after filling, the template's subject contains {{, which the service would fill",
  ]);
  expect(await problemsOf(send({ variables, options: { subject: "No. {{{order.number}}}" } }))).toEqual([
    "subject: after filling, it contains {{, which the service would fill",
  ]);
  // The service fills it only once.
  await send({ variables, options: { render: "template" } });
  expect((await send({ variables, options: { subject: "Your order" } })).email.html).toContain("<p>{{total}}: €12.50");
});

test("fills the message's own subject, and leaves out an empty body", async () => {
  const { email } = await send({
    options: { subject: "No. {{order.number}}" },
    more: { bodies: async () => ({ ...bodies, text: () => "" }) },
  });
  expect(email).toMatchObject({ subject: "No. <7> & 8" });
  expect(email).not.toHaveProperty("text");
  expect(
    await problemsOf(send({ more: { bodies: async () => ({ html: () => "{{nothing}}", text: () => "" }) } })),
  ).toEqual(["html: is empty after filling, and so is the text body"]);
});

test("requires files for cid: references and references for files whenever the html is known", async () => {
  const logo = { filename: "logo.png", content: Buffer.from("x"), contentType: "image/png", contentId: "logo" };
  const shown = { bodies: async () => ({ html: () => '<img src="cid:logo">', text: () => "Hi" }) };
  const unknown = { bodies: undefined };
  const missing = expect.stringContaining("html: uses");
  const unused = expect.stringContaining("attachments[0].contentId: is not used in the html");
  for (const render of ["local", "template"] as const) {
    expect(await problemsOf(send({ more: shown, options: { render } }))).toEqual([missing]);
    expect(await problemsOf(send({ options: { render, attachments: [logo] } }))).toEqual([unused]);
    await send({ more: shown, options: { render, attachments: [logo] } });
  }
  await send({ more: unknown, options: { render: "template", attachments: [logo] } });
});

test("reports bodies that can't be loaded", async () => {
  const failing = async () => Promise.reject(new Error("Cannot find module"));
  await expect(send({ more: { bodies: failing } })).rejects.toMatchObject({
    code: "configuration",
    message: "Can't load the compiled bodies of a template.",
    hint: expect.stringContaining("templates types"),
    cause: { message: "Cannot find module" },
  });
  // Sent by its name, a template does not need them.
  const byName = await send({ more: { bodies: failing }, options: { render: "template" } });
  expect(byName.email).toMatchObject({ template: "receipt" });
});

test("has images where templates sync has them", () => {
  const url = "http://127.0.0.1:4680";
  const project = { baseUrl: "https://cdn" };
  expect(assetsOf({ name: "staging", url, assets: { baseUrl: "https://staging" } }, project)).toBe("https://staging");
  expect(assetsOf({ name: "local", url }, project)).toBe(`${url}/assets`);
  expect(assetsOf({ name: "custom", url }, project)).toBe("https://cdn");
  expect(assetsOf({ name: "custom", url }, undefined)).toBeUndefined();
});
