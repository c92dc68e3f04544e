import { expect, onTestFinished, test } from "vitest";
import { createClient } from "../../../src/api/client.js";
import { InvalidMessageError } from "../../../src/send/errors.js";
import { assetsOf } from "../../../src/send/message/assets.js";
import { fillMessage } from "../../../src/send/message/fill-message.js";
import type { SendOptions } from "../../../src/send/message/options.js";
import { systemClock } from "../../../src/send/clock.js";
import { type CheckedMessage, type Preparation, prepareTemplateMessage } from "../../../src/send/message/prepare.js";
import { startService } from "../../../src/service/index.js";
import type { RegistryEntry, TemplateBodies } from "../../../src/template/registry.js";
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
  preparation: Partial<Preparation> = {},
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

test("a message that is filled here is sent as it is, without its template", async () => {
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

test("the mailer's choice holds where the message makes none", async () => {
  const byMailer = await send({ options: { render: undefined } }, { render: "local" });
  expect(byMailer.email).not.toHaveProperty("template");
  const byMessage = await send({ options: { render: "template" } }, { render: "local" });
  expect(byMessage.email).toMatchObject({ template: "receipt" });
  expect(byMessage.email).not.toHaveProperty("html");
});

test("it reads as the same template does that the service fills", async () => {
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

test("what a person wrote is never Mustache: the service would fill it in a subject", async () => {
  const variables = { order: { ...order, number: "{{total}}" } };
  expect(await problemsOf(send({ variables }))).toEqual([
    "subject: of the template, filled with the variables, has {{ in it, which the service would fill",
  ]);
  expect(await problemsOf(send({ variables, options: { subject: "No. {{{order.number}}}" } }))).toEqual([
    "subject: filled with the variables, has {{ in it, which the service would fill",
  ]);
  // Filled there, it is filled once.
  await send({ variables, options: { render: "template" } });
  expect((await send({ variables, options: { subject: "Your order" } })).email.html).toContain("<p>{{total}}: €12.50");
});

test("a subject of one's own is filled, and a body that is empty is left out", async () => {
  const { email } = await send({
    options: { subject: "No. {{order.number}}" },
    more: { bodies: async () => ({ ...bodies, text: () => "" }) },
  });
  expect(email).toMatchObject({ subject: "No. <7> & 8" });
  expect(email).not.toHaveProperty("text");
  expect(
    await problemsOf(send({ more: { bodies: async () => ({ html: () => "{{nothing}}", text: () => "" }) } })),
  ).toEqual(["html: is empty, as is the text, when they are filled"]);
});

test("files that the html shows are attached, and the other way round, wherever the html is known", async () => {
  const logo = { filename: "logo.png", content: Buffer.from("x"), contentType: "image/png", contentId: "logo" };
  const shown = { bodies: async () => ({ html: () => '<img src="cid:logo">', text: () => "Hi" }) };
  const unknown = { bodies: undefined };
  const missing = expect.stringContaining("html: shows");
  const unused = expect.stringContaining("attachments[0].contentId: is nowhere in the html");
  for (const render of ["local", "template"] as const) {
    expect(await problemsOf(send({ more: shown, options: { render } }))).toEqual([missing]);
    expect(await problemsOf(send({ options: { render, attachments: [logo] } }))).toEqual([unused]);
    await send({ more: shown, options: { render, attachments: [logo] } });
  }
  await send({ more: unknown, options: { render: "template", attachments: [logo] } });
});

test("bodies that cannot be loaded are told of as what they are", async () => {
  const failing = async () => Promise.reject(new Error("Cannot find module"));
  await expect(send({ more: { bodies: failing } })).rejects.toMatchObject({
    code: "configuration",
    message: "The compiled bodies of a template cannot be loaded.",
    hint: expect.stringContaining("templates types"),
    cause: { message: "Cannot find module" },
  });
  // By its name, a template is sent without them.
  const byName = await send({ more: { bodies: failing }, options: { render: "template" } });
  expect(byName.email).toMatchObject({ template: "receipt" });
});

test("fillMessage shows what the recipient reads, with the bodies where they are there", async () => {
  const { email } = await send({ options: { render: "template", subject: "No. {{order.number}}" } });
  const { variables = {}, subject } = email as { variables?: Record<string, unknown>; subject?: string };
  expect(await fillMessage(entry, variables, { subject, assets: "https://cdn" })).toEqual({
    subject: "No. <7> & 8",
    html: '<img src="https://cdn/logo.png"><p>&lt;7&gt; &amp; 8: €12.50 without</p>',
    text: "<7> & 8: €12.50\n",
  });
  expect(await fillMessage(receipt, variables)).toEqual({ subject: "Order <7> & 8" });
});

test("images are where templates sync has them", () => {
  const url = "http://127.0.0.1:4680";
  const project = { baseUrl: "https://cdn" };
  expect(assetsOf({ name: "staging", url, assets: { baseUrl: "https://staging" } }, project)).toBe("https://staging");
  expect(assetsOf({ name: "local", url }, project)).toBe(`${url}/assets`);
  expect(assetsOf({ name: "custom", url }, project)).toBe("https://cdn");
  expect(assetsOf({ name: "custom", url }, undefined)).toBeUndefined();
});
