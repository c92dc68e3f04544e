import { expect, test } from "vitest";
import { BLOCKED_EXTENSIONS } from "../../../src/api/limits.js";
import { checkFilename } from "../../../src/send/attachments/filenames.js";
import { check, lines } from "../collect.js";

const problemsOf = (filename: string) => lines(check((report) => checkFilename(filename, "filename", report)).problems);

test("each blocked extension is blocked, in any case", () => {
  for (const extension of BLOCKED_EXTENSIONS) {
    expect(problemsOf(`file.${extension}`), extension).toEqual([expect.stringContaining(`".${extension}"`)]);
    expect(problemsOf(`FILE.${extension.toUpperCase()}`), extension).toHaveLength(1);
  }
});

test.each([
  "invoice.pdf.exe",
  "invoice.exe.pdf",
  "invoice.SCR.txt",
  ".exe",
  "invoice.exe.",
  "invoice.exe...",
  "invoice.exe ",
  "invoice.exe . . ",
  "invoice.exe\u00a0",
  "invoice.exe\u3000",
  "invoice. exe",
  "invoice.e\u200bxe",
  "invoice.\ufeffexe",
  "invoice.e\u0301xe",
  "invoice.ｅｘｅ",
  "invoice．exe",
  "invoice․exe",
  "invoice。exe",
  "invoice.ехе",
  "invoice.ЕХЕ",
  "invoice.еxе",
  "invoice.ϲom",
  "invoice.ｊｓ",
  "invoice.𝐞𝐱𝐞",
  "invoice.ⓔⓧⓔ",
  "invoice.exe::$DATA",
  "invoice.exe:notes.txt",
  "12:30 invoice.exe",
  "invoice\u202efdp.exe",
  "invoice\u2067.exe",
])("%j is refused", (filename) => {
  expect(problemsOf(filename)).toHaveLength(1);
});

test.each([
  ["", "is empty"],
  ["   ", "is empty"],
  ["in\nvoice.pdf", "line break"],
  ["in\u0000voice.exe\u0000.pdf", "control character"],
  ["../invoice.pdf", "path"],
  ["C:\\invoice.pdf", "path"],
  ["annual\u202efdp.txt", "direction of writing"],
])("%j is refused: %s", (filename, reason) => {
  expect(problemsOf(filename)).toEqual([expect.stringContaining(reason)]);
});

test.each([
  "invoice.pdf",
  "Invoice 2026-11.PDF",
  "example.com.pdf",
  "Introduction to node.js.pdf",
  "my.app.screenshots.zip",
  "exe",
  "executive summary.docx",
  "v1.2.3.tar.gz",
  "notes",
  ".env-example",
  "Q3 report (final).xlsx",
  "отчёт за год.pdf",
  "сом.pdf",
  "見積書.pdf",
  "صورت‌حساب.pdf",
  "גרסה סופית.docx",
  "résumé.pdf",
  "photo 👩‍👩‍👧.jpg",
  "12:30 meeting.ics",
  "invite.ics",
  "logo.svg",
  "data.json",
  "contract.p7m",
])("%j passes", (filename) => {
  expect(problemsOf(filename)).toEqual([]);
});
