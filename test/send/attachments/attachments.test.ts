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

/** In the service's format. */
const onTheWire = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test("accepts content as bytes, base64, a Blob or a file, and sends base64", async () => {
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

test("sends only the view's part of a larger buffer", async () => {
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
])("refuses %j, which is not base64", async (content) => {
  expect((await read({ filename: "a.txt", content })).problems).toEqual([
    "attachments[0].content: is not base64. To attach plain text, pass Buffer.from(text)",
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
])("accepts %j, base64 as in emails and source code", async (content) => {
  expect(onTheWire((await read({ filename: "a.txt", content })).sent)).toMatchObject([{ content: "aGVsbG8=" }]);
});

test("reads base64 of any length exactly", async () => {
  for (const length of [1, 2, 3, 49_151, 49_152, 49_153, 200_000]) {
    const text = Buffer.alloc(length, "text ").toString("base64");
    const lines = text.replaceAll(/.{76}(?=.)/g, "$&\r\n");
    for (const content of [text, lines, lines.replace(/=+$/, "")])
      expect(onTheWire((await read({ filename: "a.txt", content })).sent)).toMatchObject([{ content: text }]);
    const wrong = `${text.slice(0, -8)}!${text.slice(-7)}`;
    if (length > 6) expect((await read({ filename: "a.txt", content: wrong })).problems).toHaveLength(1);
  }
});

test("distinguishes a data: URL from base64", async () => {
  expect((await read({ filename: "a.txt", content: "data:text/plain;base64,aGVsbG8=" })).problems).toEqual([
    expect.stringContaining("after the comma"),
  ]);
});

test("reports everything that is not an attachment, with its position and in order", async () => {
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
  const missing = ["attachments[11].path: can't be read (ENOENT)"];
  expect(problems).toEqual([
    "attachments[0].content: is empty",
    "attachments[1].content: is empty",
    "attachments[2].path: is empty",
    "attachments[3].content: is missing: an attachment needs content or a path",
    "attachments[4].filename: is missing",
    "attachments[5].path: can't be read (ENOENT)",
    "attachments[6].path: is not a file",
    "attachments[7].content: is not bytes, a base64 string, a Blob or a stream",
    "attachments[8]: is not an attachment: pass { filename, content }",
    "attachments[9]: is not an attachment: pass { filename, content }",
    "attachments[10].filename: is not a string",
    "attachments[11]: has both path and content: pass one of them",
    ...missing,
    "attachments[12].path: is not a file: URL",
    "attachments[13].path: is not the URL of a file on this machine",
    "attachments[14].path: is not the URL of a file on this machine",
    "attachments[15].path: is neither a path nor a URL",
    "attachments[16].filename: contains a control character",
    "attachments[16].path: can't be read (ERR_INVALID_ARG_VALUE)",
    "attachments[17].cid: is not an option of an attachment. Did you mean contentId?",
    "attachments[17].contentID: is not an option of an attachment. Did you mean contentId?",
    "attachments[17].encoding: is not an option of an attachment",
    "attachments[17].content_type: is not an option of an attachment. Did you mean contentType?",
    "attachments[18].content: is not bytes, a base64 string, a Blob or a stream",
    "attachments[19].content: is missing: an attachment needs content or a path",
    "attachments[20].filename: is missing",
    "attachments[20].content: is missing: an attachment needs content or a path",
  ]);
});

test.each([undefined, null, "a.pdf", {}, 7])("refuses %j, which is not a list of attachments", async (attachments) => {
  expect((await readAll(attachments)).problems).toEqual(["attachments: is not a list"]);
});

test("accepts 25 attachments, but not 26", async () => {
  const attachments = Array.from({ length: 26 }, (_, index) => ({ filename: `${index}.txt`, content: "aGVsbG8=" }));
  expect((await read(...attachments.slice(1))).problems).toEqual([]);
  expect((await read(...attachments)).problems).toEqual(["attachments: has 26 files; the limit is 25"]);
  const more = Array.from({ length: 30 }, (): Attachment => ({ filename: "a.exe", content: "?" }));
  expect((await read(...more)).problems).toHaveLength(61);
});

test("refuses a total that is over 10 MB in every interpretation, and warns if only in some", async () => {
  const text = (bytes: number) => Buffer.alloc(bytes, "text ");
  expect(await read({ filename: "a.txt", content: text(7_500_000) })).toMatchObject({ problems: [], warnings: [] });
  for (const [bytes, summary] of [
    [7_500_001, "has 7.5 MB in total, 10.0 MB in base64"],
    [10_000_000, "has 10.0 MB in total, 13.3 MB in base64"],
    [10 * 1024 * 1024, "has 10.5 MB in total, 14.0 MB in base64"],
  ] as const) {
    const { problems, warnings, sent } = await read({ filename: "a.txt", content: text(bytes) });
    expect(problems).toEqual([]);
    expect(sent).toHaveLength(1);
    expect(warnings).toEqual([
      `attachments: ${summary}: the service's limit is 10 MB, but it does not say which of the two counts`,
    ]);
  }
  const half = text(5 * 1024 * 1024 + 1);
  const { problems } = await read(
    { filename: "a.txt", content: half },
    { filename: "b.txt", content: half.toString("base64") },
  );
  expect(problems).toEqual(["attachments: has 10.5 MB in total; the limit is 10 MB"]);
});

test("does not read a file on disk that is too large", async () => {
  const file = path.join(folder, "large.bin");
  await writeFile(file, Buffer.alloc(11e6));
  const before = process.memoryUsage().arrayBuffers;
  expect((await read({ path: file })).problems).toEqual(["attachments: has 11.0 MB in total; the limit is 10 MB"]);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(5e6);
});

test("refuses a program however it is passed", async () => {
  const disguised = path.join(folder, "invoice.pdf");
  await writeFile(disguised, PROGRAM);
  const { problems } = await read(
    { filename: "invoice.pdf", content: PROGRAM },
    { filename: "invoice.pdf", content: PROGRAM.toString("base64") },
    { filename: "invoice.pdf", content: new Blob([PROGRAM]) },
    { path: disguised },
  );
  expect(problems).toEqual([
    "attachments[0].content: is a program (exe), regardless of its name. Send a link to it instead.",
    "attachments[1].content: is a program (exe), regardless of its name. Send a link to it instead.",
    "attachments[2].content: is a program (exe), regardless of its name. Send a link to it instead.",
    "attachments[3].path: is a program (exe), regardless of its name. Send a link to it instead.",
  ]);
});

test("names the position of a suspicious attachment", async () => {
  const { problems, warnings } = await read(
    { filename: "a.pdf", content: PDF },
    { filename: "photo.jpg", content: PNG },
  );
  expect(problems).toEqual([]);
  expect(warnings).toEqual(["attachments[1].content: looks like a png file, not a jpg file"]);
});

test("checks values that become headers", async () => {
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
  const id = "must be 1 to 255 printable ASCII characters without spaces and angle brackets";
  expect(problems).toEqual([
    "attachments[0].filename: contains a line break",
    `attachments[1].contentType: ${type}`,
    `attachments[2].contentType: ${type}`,
    "attachments[3].contentId: contains a line break",
    `attachments[4].contentId: ${id}`,
    "attachments[6].contentId: is already used by attachments[5]",
    `attachments[8].contentType: ${type}`,
    `attachments[9].contentType: ${type}`,
    "attachments[10].contentId: is not a string",
    `attachments[11].contentId: ${id}`,
    `attachments[12].contentId: ${id}`,
    `attachments[14].contentType: ${type}`,
    `attachments[15].contentId: ${id}`,
    "attachments[16].contentType: is the media type of a program",
    "attachments[17].contentType: is the media type of a program",
  ]);
});
