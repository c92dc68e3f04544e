import { expect } from "vitest";
import type { Api, Json } from "../api.js";
import { sentence } from "../sentence.js";
import type { World } from "../world.js";
import { eventually } from "../eventually.js";

const send = "POST /domains/:domain/emails/outbound";
const base64 = (size: number) => Buffer.alloc(size, "a").toString("base64");
const image = { filename: "logo.png", content: base64(12), content_type: "image/png", content_id: "logo" };

function mailTo(world: World): { from: string; to: string; subject: string; text: string } {
  return { from: "hello", to: world.recipient("ada"), subject: "Hello", text: "Hello" };
}

async function entry(api: Api, id: string): Promise<Json> {
  return await eventually(() => api("GET /domains/:domain/logs/:id", { id }));
}

sentence(
  'v4 part 4, Send email: "from | string | required; local part of the sender address", "usable with the get-log endpoint; `message_id` is the RFC 5322 Message-ID and matches the logs field `message_id`"',
  ["{v3,v4} emails.send {path *,answer *,200}", "{v3,v4} emails.send body {from,to,subject,text,html,cc,bcc,reply_to}"],
  async (world) => {
    for (const api of world.both) {
      const body = {
        ...mailTo(world),
        html: "<p>Hello</p>",
        cc: world.recipient("bob"),
        bcc: [world.recipient("eve")],
        reply_to: world.recipient("reply"),
      };
      const { id, message_id } = await api(send, { body });
      const logged = await entry(world.v4, id);
      expect(logged).toMatchObject({ id, message_id, subject: "Hello", transport: "api", forward: null });
      expect(logged.sender.email).toBe(`hello@${world.domain}`);
      expect(logged.recipient.email).toBe(body.to);
      expect(await entry(world.v3, id)).toMatchObject({ id, messageId: message_id });
    }
  },
);

sentence('v4 part 4, Send email: "one entry per recipient"', [], async (world) => {
  const to = ["ada", "bob", "eve"].map((tag) => world.recipient(tag));
  const { message_id } = await world.v4(send, { body: { ...mailTo(world), to } });
  const recipients = await eventually(async () => {
    const { logs } = await world.v4("GET /domains/:domain/logs");
    const found = logs.filter((each: Json) => each.message_id === message_id).map((each: Json) => each.recipient.email);
    expect(found).toHaveLength(3);
    return found;
  });
  expect(recipients.toSorted()).toEqual(to.toSorted());
});

sentence(
  'v4 part 4, Send email: "name of a saved template; its subject, html_body and text_body are rendered with variables; request-level text/html are ignored"',
  ["{v3,v4} emails.send body {template,variables}"],
  async (world) => {
    const template = { name: "receipt", subject: "Receipt {{number}}", text_body: "Total: {{total}}" };
    await world.v4("POST /domains/:domain/templates", { body: template });
    for (const api of world.both) {
      const body = {
        from: "hello",
        to: world.recipient("ada"),
        template: "receipt",
        variables: { number: 7, total: "9" },
      };
      expect((await entry(world.v4, (await api(send, { body })).id)).subject).toBe("Receipt 7");
      // "supports Mustache; overrides the template subject"
      const overridden = await api(send, { body: { ...body, subject: "Paid: {{total}}", text: "ignored" } });
      expect((await entry(world.v4, overridden.id)).subject).toBe("Paid: 9");
    }
  },
);

sentence(
  'v4 part 4, Send email: "each has `filename` and `content` (base64), optional `content_type` (inferred from filename) and `content_id` (for inline `cid:` images); max 25 attachments, 10 MB total"',
  ["{v3,v4} emails.send body attachments*", "{v3,v4} emails.send 400 tooMuch"],
  async (world) => {
    for (const api of world.both) {
      const html = '<img src="cid:logo">';
      const attachments = [
        image,
        ...Array.from({ length: 24 }, (_, n) => ({ filename: `${n}.txt`, content: base64(3) })),
      ];
      await api(send, { body: { ...mailTo(world), html, attachments } });
      const oneMore = [...attachments, { filename: "25.txt", content: base64(3) }];
      await api.refused(400, send, { body: { ...mailTo(world), attachments: oneMore } });
    }
    const big = { filename: "big.bin", content: base64(10 * 1024 * 1024 + 1) };
    await world.v4.refused(400, send, { body: { ...mailTo(world), attachments: [big] } });
  },
);

/** Each row of part 7 with status 400, and bodies that violate it. */
const refusals: readonly [row: string, name: string, bodies: readonly object[]][] = [
  ["from, to or subject missing", "missing", [{ from: undefined }, { to: undefined }, { subject: undefined }]],
  ["no text or html body", "noBody", [{ text: undefined }]],
  [
    "invalid address in to, cc, bcc or reply_to",
    "address",
    [{ to: "nobody" }, { to: ["ada@example.com", "@"] }, { cc: "a b@c" }, { bcc: ["nobody"] }, { reply_to: "nobody" }],
  ],
  [
    "variables is not a JSON object",
    "variables",
    [
      { template: "receipt", variables: "none" },
      { template: "receipt", variables: [1] },
    ],
  ],
  ["malformed Mustache in template subject or body", "mustache", [{ template: "receipt", subject: "{{#open}}" }]],
  [
    "attachment missing filename or content, invalid base64, invalid content_type",
    "attachment",
    [
      { attachments: [{ content: image.content }] },
      { attachments: [{ filename: "a.txt" }] },
      { attachments: [{ filename: "a.txt", content: "no base64!" }] },
      { attachments: [{ ...image, content_type: "picture" }] },
    ],
  ],
  ["attachments not an array", "attachments", [{ attachments: image }]],
  [
    "blocked file extension",
    "extension",
    ["exe", "bat", "js", "vbs", "ps1", "scr"].map((extension) => ({
      attachments: [{ filename: `run.${extension}`, content: base64(3) }],
    })),
  ],
];

for (const [row, name, bodies] of refusals) {
  sentence(`v4 part 7, Send email errors: "${row}"`, [`{v3,v4} emails.send 400 ${name}`], async (world) => {
    await world.v4("POST /domains/:domain/templates", { body: { name: "receipt", subject: "Hi", text_body: "Hi" } });
    for (const api of world.both) {
      for (const body of bodies) {
        const { errors } = await api.refused(400, send, { body: { ...mailTo(world), ...body } });
        expect(errors).not.toEqual({});
      }
    }
  });
}

sentence(
  'v4 part 7, Send email errors: "domain DNS not configured for sending", "no template with that name on the domain"',
  ["{v3,v4} emails.send 403 dns", "{v3,v4} emails.send 404 template"],
  async (world) => {
    for (const api of world.both) {
      await api.refused(403, send, { domain: world.unready, body: mailTo(world) });
      await api.refused(404, send, { body: { ...mailTo(world), template: "nothing" } });
    }
  },
);
