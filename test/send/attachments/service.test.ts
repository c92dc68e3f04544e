import { expect, onTestFinished, test } from "vitest";
import { createClient } from "../../../src/api/client.js";
import { BLOCKED_EXTENSIONS } from "../../../src/api/limits.js";
import { GMAIL, OUTLOOK } from "../../../src/send/attachments/blocked-types.js";
import type { Attachment } from "../../../src/send/attachments/attachment.js";
import { startService } from "../../../src/service/index.js";
import { rejection } from "../../api/servers.js";
import { DOCX, PDF, PNG } from "./files.js";
import { read } from "./read.js";

/** A local service, and a function that sends attachments to it. */
async function start() {
  const service = await startService({ data: ":memory:", port: 0, limits: false });
  const client = createClient({ baseUrl: service.url, apiKey: "local", pacing: false });
  onTestFinished(async () => {
    await client.close();
    await service.close();
  });
  const mail = { from: "shop", to: "ada@example.com", subject: "Hi", text: "Hi" };
  const send = (attachments: Awaited<ReturnType<typeof read>>["sent"]) =>
    client.emails.send("example.test", { ...mail, attachments });
  return { service, send };
}

test("delivers accepted attachments to the local service unchanged", async () => {
  const { service, send } = await start();
  const attachments: Attachment[] = [
    { filename: "invoice.pdf", content: PDF },
    { filename: "Rechnung Müller & Söhne – Nr. 7.docx", content: DOCX },
    { filename: "請求書.pdf", content: PDF },
    { filename: `${"a".repeat(251)}.pdf`, content: PDF },
    { filename: "logo.png", content: PNG, contentId: "image001.png@01DA7A8B.5C0F" },
    { filename: "notes.txt", content: Buffer.from("é\r\n"), contentType: 'text/plain; charset="utf-8"' },
    { filename: "thing.unusual", content: Buffer.from("x") },
    { filename: "setup.exe notes.txt", content: Buffer.from("Hello") },
  ];
  const { sent, problems } = await read(...attachments);
  expect(problems).toEqual([]);
  await send(sent);
  const [mail] = service.mail.list();
  const { attachments: arrived = [] } = (await service.mail.open(mail?.id ?? "")) ?? {};
  expect(arrived.map(({ filename, content }) => ({ filename, content: Buffer.from(content) }))).toEqual(
    attachments.map(({ filename, content }) => ({ filename, content })),
  );
  expect(arrived.map(({ contentType }) => contentType).slice(0, 5)).toEqual([
    "application/pdf",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "application/pdf",
    "application/pdf",
    "image/png",
  ]);
});

test("has the same size limits as the local service", async () => {
  const { send } = await start();
  const { sent, problems } = await read({ filename: "a.txt", content: Buffer.alloc(10 * 1024 * 1024, "a") });
  expect(problems).toEqual([]);
  await send(sent);
  const more = await read({ filename: "b.txt", content: Buffer.from("b") });
  expect(await rejection(send([...sent, ...more.sent]))).toMatchObject({ status: 400 });
});

test("blocks only extensions that the local service also refuses", async () => {
  const { send } = await start();
  const extensions = [...BLOCKED_EXTENSIONS];
  for (let first = 0; first < extensions.length; first += 25) {
    const some = extensions.slice(first, first + 25);
    const error = await rejection(send(some.map((extension) => ({ filename: `a.${extension}`, content: "aGVsbG8=" }))));
    expect(error).toMatchObject({
      status: 400,
      fieldErrors: { attachments: some.map(() => expect.stringContaining("blocked")) },
    });
  }
});

test("lets the local service accept what only Gmail or Outlook blocks", async () => {
  const { send } = await start();
  const only = [...GMAIL.extensions, ...OUTLOOK.extensions].filter((extension) => !BLOCKED_EXTENSIONS.has(extension));
  await send(["ex", "py", "crt", "mdb"].map((extension) => ({ filename: `a.${extension}`, content: "aGVsbG8=" })));
  expect(only).toEqual(expect.arrayContaining(["ex", "py", "crt", "mdb"]));
});
