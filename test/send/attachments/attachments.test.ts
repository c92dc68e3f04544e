import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Attachment } from "../../../src/send/attachments/attachment.js";
import { PDF, PNG, PROGRAMS } from "./files.js";
import { read, readAll } from "./read.js";

const PROGRAM = PROGRAMS["PE"] ?? PDF;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "letter shop-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** As the service gets it. */
const onTheWire = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test("content may be bytes, base64, a Blob or a file, and is sent as base64", async () => {
  const file = path.join(folder, "terms & conditions.pdf");
  await writeFile(file, PDF);
  const content = PDF.toString("base64");
  const { sent, problems, warnings } = await read(
    { filename: "a.pdf", content: PDF },
    { filename: "b.pdf", content: new Uint8Array(PDF) },
    { filename: "c.pdf", content, contentType: "application/x-pdf" },
    { filename: "d.pdf", content: new Uint8Array(PDF).buffer },
    { filename: "e.pdf", content: new Blob([PDF]) },
    { path: file },
    { path: pathToFileURL(file), filename: "terms.pdf" },
    { filename: "logo.png", content: PNG, contentId: "logo" },
    { filename: "thing.unusual", content: PDF },
  );
  expect([...problems, ...warnings]).toEqual([]);
  const content_type = "application/pdf";
  expect(onTheWire(sent)).toEqual([
    { filename: "a.pdf", content, content_type },
    { filename: "b.pdf", content, content_type },
    { filename: "c.pdf", content, content_type: "application/x-pdf" },
    { filename: "d.pdf", content, content_type },
    { filename: "e.pdf", content, content_type },
    { filename: "terms & conditions.pdf", content, content_type },
    { filename: "terms.pdf", content, content_type },
    { filename: "logo.png", content: PNG.toString("base64"), content_type: "image/png", content_id: "logo" },
    { filename: "thing.unusual", content },
  ]);
});

test("a part of a larger buffer is sent alone", async () => {
  const { sent } = await read({ filename: "a.txt", content: Buffer.from("xxhelloxx").subarray(2, 7) });
  expect(onTheWire(sent)).toMatchObject([{ content: "aGVsbG8=" }]);
});

test.each([
  "aGVs bG8=",
  "aGV\nsbG8=",
  "aGVs\nbG8=\nbG8=",
  "aGVs\n\nbG8=",
  "aGVsb",
  "aGVsbG9=",
  "_-8=",
  "hello world",
  "hello\n\nworld",
  "aGVsbG8==",
  "=",
  "aGVsbG8=aGVsbG8=",
  "é".repeat(4),
])("%j is not base64", async (content) => {
  expect((await read({ filename: "a.txt", content })).problems).toEqual([
    "attachments[0].content: is not base64; a text of its own is passed as bytes: Buffer.from(text)",
  ]);
});

test.each([
  "aGVsbG8",
  "aGVsbG8=\n",
  "aGVs\nbG8=",
  "aGVs\r\nbG8=\r\n",
  " aGVsbG8= ",
  "\n  aGVs\n  bG8=\n\n",
  "aGVs \nbG8= ",
])("%j is base64 as mails and source code have it", async (content) => {
  expect(onTheWire((await read({ filename: "a.txt", content })).sent)).toMatchObject([{ content: "aGVsbG8=" }]);
});

test("base64 of any length is read to the letter", async () => {
  for (const length of [1, 2, 3, 49_151, 49_152, 49_153, 200_000]) {
    const text = Buffer.alloc(length, "text ").toString("base64");
    const lines = text.replaceAll(/.{76}(?=.)/g, "$&\r\n");
    for (const content of [text, lines, lines.replace(/=+$/, "")])
      expect(onTheWire((await read({ filename: "a.txt", content })).sent)).toMatchObject([{ content: text }]);
    const wrong = `${text.slice(0, -8)}!${text.slice(-7)}`;
    if (length > 6) expect((await read({ filename: "a.txt", content: wrong })).problems).toHaveLength(1);
  }
});

test("a data: address is told from base64", async () => {
  expect((await read({ filename: "a.txt", content: "data:text/plain;base64,aGVsbG8=" })).problems).toEqual([
    expect.stringContaining("behind its comma"),
  ]);
});

test("whatever is no attachment is a problem with its place, all at once and in order", async () => {
  const empty = path.join(folder, "empty.txt");
  await writeFile(empty, "");
  const { problems } = await readAll([
    { filename: "a.txt", content: "" },
    { filename: "b.txt", content: new Uint8Array() },
    { path: empty },
    { filename: "c.txt" },
    { content: "aGVsbG8=" },
    { path: path.join(folder, "missing.txt") },
    { path: folder, filename: "d.txt" },
    { filename: "e.txt", content: 7 },
    null,
    "invoice.pdf",
    { filename: 7, content: PDF },
    { filename: "f.pdf", path: "f.pdf", content: PDF },
    { path: new URL("https://example.com/a.pdf") },
    { path: new URL("file://host/a.pdf") },
    { path: new URL("file:///a%2Fb.pdf") },
    { path: 7 },
    { path: "a\0b.pdf" },
    { filename: "g.pdf", content: PDF, cid: "g", contentID: "g", encoding: "base64", content_type: "x" },
    { filename: "h.txt", content: { data: "hello" } },
    { filename: "i.txt", content: null },
    {},
  ]);
  const missing = ["attachments[11].path: cannot be read (ENOENT)"];
  expect(problems).toEqual([
    "attachments[0].content: is empty",
    "attachments[1].content: is empty",
    "attachments[2].path: is empty",
    "attachments[3].content: is missing: an attachment has a content or a path",
    "attachments[4].filename: is missing",
    "attachments[5].path: cannot be read (ENOENT)",
    "attachments[6].path: is not a file",
    "attachments[7].content: is neither bytes, a base64 text, a Blob nor a stream",
    "attachments[8]: is not an attachment: { filename, content }",
    "attachments[9]: is not an attachment: { filename, content }",
    "attachments[10].filename: is not a text",
    "attachments[11]: has a path and a content: pass one of them",
    ...missing,
    "attachments[12].path: is not a file: address",
    "attachments[13].path: is not the address of a file of this machine",
    "attachments[14].path: is not the address of a file of this machine",
    "attachments[15].path: is neither a path nor a URL",
    "attachments[16].filename: has a control character in it",
    "attachments[16].path: cannot be read (ERR_INVALID_ARG_VALUE)",
    "attachments[17].cid: is nothing that an attachment has; did you mean contentId?",
    "attachments[17].contentID: is nothing that an attachment has; did you mean contentId?",
    "attachments[17].encoding: is nothing that an attachment has",
    "attachments[17].content_type: is nothing that an attachment has; did you mean contentType?",
    "attachments[18].content: is neither bytes, a base64 text, a Blob nor a stream",
    "attachments[19].content: is missing: an attachment has a content or a path",
    "attachments[20].filename: is missing",
    "attachments[20].content: is missing: an attachment has a content or a path",
  ]);
});

test.each([undefined, null, "a.pdf", {}, 7])("%j is no list of attachments", async (attachments) => {
  expect((await readAll(attachments)).problems).toEqual(["attachments: is not a list"]);
});

test("25 attachments pass, 26 do not", async () => {
  const attachments = Array.from({ length: 26 }, (_, index) => ({ filename: `${index}.txt`, content: "aGVsbG8=" }));
  expect((await read(...attachments.slice(1))).problems).toEqual([]);
  expect((await read(...attachments)).problems).toEqual(["attachments: are 26; the service takes 25"]);
  const more = Array.from({ length: 30 }, (): Attachment => ({ filename: "a.exe", content: "?" }));
  expect((await read(...more)).problems).toHaveLength(61);
});

test("what every reading of 10 MB refuses is not sent, what only some refuse is told", async () => {
  const text = (bytes: number) => Buffer.alloc(bytes, "text ");
  expect(await read({ filename: "a.txt", content: text(7_500_000) })).toMatchObject({ problems: [], warnings: [] });
  for (const [bytes, said] of [
    [7_500_001, "are 7.5 MB together, 10.0 MB in base64"],
    [10_000_000, "are 10.0 MB together, 13.3 MB in base64"],
    [10 * 1024 * 1024, "are 10.5 MB together, 14.0 MB in base64"],
  ] as const) {
    const { problems, warnings, sent } = await read({ filename: "a.txt", content: text(bytes) });
    expect(problems).toEqual([]);
    expect(sent).toHaveLength(1);
    expect(warnings).toEqual([`attachments: ${said}: the service takes 10 MB and does not say of which`]);
  }
  const half = text(5 * 1024 * 1024 + 1);
  const { problems } = await read(
    { filename: "a.txt", content: half },
    { filename: "b.txt", content: half.toString("base64") },
  );
  expect(problems).toEqual(["attachments: are 10.5 MB together; the service takes 10 MB"]);
});

test("a file on disk that is too large is not read", async () => {
  const file = path.join(folder, "large.bin");
  await writeFile(file, Buffer.alloc(11e6));
  const before = process.memoryUsage().arrayBuffers;
  expect((await read({ path: file })).problems).toEqual(["attachments: are 11.0 MB together; the service takes 10 MB"]);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(5e6);
});

test("a program is refused, however it is passed", async () => {
  const disguised = path.join(folder, "invoice.pdf");
  await writeFile(disguised, PROGRAM);
  const { problems } = await read(
    { filename: "invoice.pdf", content: PROGRAM },
    { filename: "invoice.pdf", content: PROGRAM.toString("base64") },
    { filename: "invoice.pdf", content: new Blob([PROGRAM]) },
    { path: disguised },
  );
  expect(problems).toEqual([
    "attachments[0].content: is a program (exe), whatever its name says. Send a link to it instead.",
    "attachments[1].content: is a program (exe), whatever its name says. Send a link to it instead.",
    "attachments[2].content: is a program (exe), whatever its name says. Send a link to it instead.",
    "attachments[3].path: is a program (exe), whatever its name says. Send a link to it instead.",
  ]);
});

test("what is odd names its place", async () => {
  const { problems, warnings } = await read(
    { filename: "a.pdf", content: PDF },
    { filename: "photo.jpg", content: PNG },
  );
  expect(problems).toEqual([]);
  expect(warnings).toEqual(["attachments[1].content: looks like a png file, not like a jpg file"]);
});

test("what becomes a header is checked", async () => {
  const { problems } = await readAll([
    { filename: "a\r\nX-Evil: 1.pdf", content: PDF },
    { filename: "b.pdf", content: PDF, contentType: "application/pdf\r\nX-Evil: 1" },
    { filename: "c.pdf", content: PDF, contentType: "pdf" },
    { filename: "d.pdf", content: PDF, contentId: "logo>\r\n" },
    { filename: "e.pdf", content: PDF, contentId: "<logo>" },
    { filename: "f.pdf", content: PDF, contentId: "same" },
    { filename: "g.pdf", content: PDF, contentId: "same" },
    { filename: "h.pdf", content: PDF, contentType: 'text/plain; charset="utf-8"' },
    { filename: "i.pdf", content: PDF, contentType: "multipart/mixed; boundary=x" },
    { filename: "j.pdf", content: PDF, contentType: 7 },
    { filename: "k.pdf", content: PDF, contentId: 7 },
    { filename: "l.pdf", content: PDF, contentId: "größe" },
    { filename: "m.pdf", content: PDF, contentId: "" },
    { filename: "n.pdf", content: PDF, contentId: "image001.png@01DA7A8B.5C0F" },
    { filename: "o.pdf", content: PDF, contentType: 'text/plain; name="a\u0001"' },
    { filename: "p.pdf", content: PDF, contentId: "x".repeat(256) },
    { filename: "q.pdf", content: PDF, contentType: "application/x-MSdownload; name=q.exe" },
    { filename: "r.pdf", content: PDF, contentType: "application/x-sh" },
    { filename: "s.pdf", content: PDF, contentType: "application/x-msaccess" },
  ]);
  const type = 'is not a media type such as "application/pdf"';
  const id = "is not 1 to 255 printable ASCII characters without spaces and angle brackets";
  expect(problems).toEqual([
    "attachments[0].filename: has a line break in it",
    `attachments[1].contentType: ${type}`,
    `attachments[2].contentType: ${type}`,
    "attachments[3].contentId: has a line break in it",
    `attachments[4].contentId: ${id}`,
    "attachments[6].contentId: is the one of attachments[5] already",
    `attachments[8].contentType: ${type}`,
    `attachments[9].contentType: ${type}`,
    "attachments[10].contentId: is not a text",
    `attachments[11].contentId: ${id}`,
    `attachments[12].contentId: ${id}`,
    `attachments[14].contentType: ${type}`,
    `attachments[15].contentId: ${id}`,
    "attachments[16].contentType: is the type of a program",
    "attachments[17].contentType: is the type of a program",
  ]);
});
