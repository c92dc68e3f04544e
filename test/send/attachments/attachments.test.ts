import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Attachment, readAttachments } from "../../../src/send/attachments/attachments.js";
import { collectProblems } from "../../../src/send/message/report.js";
import { lines } from "../collect.js";

const PDF = Buffer.from("%PDF-1.7\n%âãÏÓ\n1 0 obj\n<<>>\nendobj\n");
const PROGRAM = Buffer.alloc(256);
PROGRAM.write("MZ");
PROGRAM.write("PE", 128);
PROGRAM.writeUInt32LE(128, 0x3c);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "letter shop-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function read(...attachments: Attachment[]) {
  const { problems, report } = collectProblems();
  const sent = await readAttachments(attachments, report);
  return { sent, problems: lines(problems) };
}

test("content may be bytes, base64 or a file, and is sent as base64", async () => {
  const file = path.join(folder, "terms & conditions.pdf");
  await writeFile(file, PDF);
  const content = PDF.toString("base64");
  const { sent, problems } = await read(
    { filename: "a.pdf", content: PDF },
    { filename: "b.pdf", content: new Uint8Array(PDF).subarray(0) },
    { filename: "c.pdf", content, contentType: "application/pdf" },
    { path: file },
    { path: pathToFileURL(file), filename: "terms.pdf" },
    { filename: "logo.png", content: "iVBORw0KGgo=", contentId: "logo" },
  );
  expect(problems).toEqual([]);
  expect(sent).toEqual([
    { filename: "a.pdf", content },
    { filename: "b.pdf", content },
    { filename: "c.pdf", content, content_type: "application/pdf" },
    { filename: "terms & conditions.pdf", content },
    { filename: "terms.pdf", content },
    { filename: "logo.png", content: "iVBORw0KGgo=", content_id: "logo" },
  ]);
});

test("a part of a larger buffer is sent alone", async () => {
  const { sent } = await read({ filename: "a.txt", content: Buffer.from("xxhelloxx").subarray(2, 7) });
  expect(Buffer.from(sent[0]?.content ?? "", "base64").toString()).toBe("hello");
});

test.each([
  "aGVsbG8",
  "aGVs bG8=",
  "aGVs\nbG8=",
  "aGVsbG9=",
  "_-8=",
  "hello world",
  "aGVsbG8==",
  "=",
  "aGVsbG8=aGVsbG8=",
])("%j is not base64", async (content) => {
  expect((await read({ filename: "a.txt", content })).problems).toEqual(["attachments[0].content: is not base64"]);
});

test("a data: address is told from base64", async () => {
  expect((await read({ filename: "a.txt", content: "data:text/plain;base64,aGVsbG8=" })).problems).toEqual([
    expect.stringContaining("behind its comma"),
  ]);
});

test("nothing to attach is a problem", async () => {
  const empty = path.join(folder, "empty.txt");
  await writeFile(empty, "");
  const { problems } = await read(
    { filename: "a.txt", content: "" },
    { filename: "b.txt", content: new Uint8Array() },
    { path: empty },
    { filename: "c.txt" } as Attachment,
    { content: "aGVsbG8=" } as Attachment,
    { path: path.join(folder, "missing.txt") },
    { path: folder, filename: "d.txt" },
    { filename: "e.txt", content: 7 } as unknown as Attachment,
    null as unknown as Attachment,
  );
  expect(problems).toEqual([
    "attachments[0].content: is empty",
    "attachments[1].content: is empty",
    "attachments[3].content: is missing: an attachment has a content or a path",
    "attachments[4].filename: is missing",
    "attachments[7].content: is neither bytes nor a base64 text",
    "attachments[8]: is not an attachment: { filename, content }",
    expect.stringMatching(/attachments\[.\]\.path: /),
    expect.stringMatching(/attachments\[.\]\.path: /),
    expect.stringMatching(/attachments\[.\]\.path: /),
  ]);
  expect(problems.slice(6).sort()).toEqual([
    "attachments[2].path: is empty",
    "attachments[5].path: cannot be read (ENOENT)",
    "attachments[6].path: is not a file",
  ]);
});

test("25 attachments pass, 26 do not", async () => {
  const attachments = Array.from({ length: 26 }, (_, index) => ({ filename: `${index}.txt`, content: "aGVsbG8=" }));
  expect((await read(...attachments.slice(1))).problems).toEqual([]);
  expect((await read(...attachments)).problems).toEqual(["attachments: are 26; the service takes 25"]);
});

test("what only one reading of 10 MB refuses is left to the service; what all of them refuse is not sent", async () => {
  const text = (bytes: number) => Buffer.alloc(bytes, "text ");
  expect((await read({ filename: "a.txt", content: text(10 * 1024 * 1024) })).problems).toEqual([]);
  const half = text(5 * 1024 * 1024 + 1);
  expect(
    (await read({ filename: "a.txt", content: half }, { filename: "b.txt", content: half.toString("base64") }))
      .problems,
  ).toEqual(["attachments: are 10.5 MB together; the service takes 10 MB"]);
});

test("a program is refused, whatever it is called", async () => {
  const elf = Buffer.from("7f454c4602010100000000000000000002003e00", "hex");
  const disguised = path.join(folder, "invoice.pdf");
  await writeFile(disguised, PROGRAM);
  const { problems } = await read(
    { filename: "invoice.pdf", content: PROGRAM },
    { filename: "invoice.pdf", content: PROGRAM.toString("base64") },
    { path: disguised },
    { filename: "photo.jpg", content: elf },
    { filename: "notes", content: PROGRAM },
  );
  expect(problems).toEqual(
    [0, 1, 2, 3, 4].map(
      (index) => `attachments[${index}]: is a program (${index === 3 ? "elf" : "exe"}), whatever its name says`,
    ),
  );
});

test("honest files pass, also where their first bytes are those of something else", async () => {
  const { problems } = await read(
    { filename: "regions.csv", content: Buffer.from("MZ;12;Mozambique\nZA;7;South Africa\n") },
    { filename: "invoice.pdf", content: Buffer.from("not really a PDF") },
    { filename: "photo.jpg", content: Buffer.from("89504e470d0a1a0a0000000d49484452", "hex") },
    { filename: "x.txt", content: Buffer.from("M") },
  );
  expect(problems).toEqual([]);
});

test("what becomes a header is checked", async () => {
  const { problems } = await read(
    { filename: "a\r\nX-Evil: 1.pdf", content: PDF },
    { filename: "b.pdf", content: PDF, contentType: "application/pdf\r\nX-Evil: 1" },
    { filename: "c.pdf", content: PDF, contentType: "pdf" },
    { filename: "d.pdf", content: PDF, contentId: "logo>\r\n" },
    { filename: "e.pdf", content: PDF, contentId: "<logo>" },
    { filename: "f.pdf", content: PDF, contentId: "same" },
    { filename: "g.pdf", content: PDF, contentId: "same" },
    { filename: "h.pdf", content: PDF, contentType: 'text/plain; charset="utf-8"' },
  );
  expect(problems).toEqual([
    "attachments[6].contentId: is the one of attachments[5] already",
    "attachments[0].filename: has a line break in it",
    'attachments[1].contentType: is not a media type such as "application/pdf"',
    'attachments[2].contentType: is not a media type such as "application/pdf"',
    "attachments[3].contentId: has a line break in it",
    "attachments[4].contentId: has a space or an angle bracket in it, or is empty",
  ]);
});
