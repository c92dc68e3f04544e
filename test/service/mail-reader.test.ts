import * as fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { MailReader } from "../../src/service/mail/mail-reader.js";

const reader = new MailReader();
afterAll(() => reader.close());

const TYPES = [
  "text/plain",
  "text/html; charset=utf-8",
  "TEXT/PLAIN; format=flowed",
  "text/calendar; method=REQUEST",
  "application/pdf",
  "message/rfc822",
  "multipart/mixed; boundary=b",
  "multipart/alternative; boundary=b",
  "textual",
];
const header = fc.oneof(
  fc.constantFrom(...TYPES).map((type) => `Content-Type: ${type}`),
  fc.constantFrom(
    "From: Bob <bob@shop.example>",
    "Message-ID: <1@shop.example>",
    "Subject: =?utf-8?Q?Gr=C3=BC=C3=9Fe?=\r\n again",
    "Content-Disposition: attachment; filename=a.txt",
    "Content-Transfer-Encoding: base64",
    "no header",
    " folded",
    "\r",
  ),
);
const body = fc.constantFrom(
  "",
  "Hello\r\n",
  "\n\r\nFrom: eve@shop.example\r\n\r\n",
  "--b\r\nContent-Disposition: attachment; filename=a.txt\r\n\r\nx\r\n--b\r\n\r\nHello\r\n--b--\r\n",
  "Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: image/png\r\n\r\nx\r\n--b--\r\n",
);

test("an email whose body is not needed is read like one whose body is", { timeout: 30_000 }, async () => {
  const emails = fc.tuple(fc.array(header, { maxLength: 6 }), fc.constantFrom("\r\n", "\n"), body);
  await fc.assert(
    fc.asyncProperty(emails, async ([headers, newline, content]) => {
      const source = Buffer.from(`${headers.map((line) => `${line}${newline}`).join("")}${newline}${content}`);
      const whole = await reader.readArriving(source, { body: true });
      const needed = await reader.readArriving(source, { body: false });
      expect({ ...needed, body: "" }).toEqual({ ...whole, body: "" });
    }),
    { numRuns: 500 },
  );
});

test("the body of a single text is only read if it is needed", async () => {
  const source = Buffer.from("Subject: Hi\r\n\r\nHello\r\n");
  expect(await reader.readArriving(source, { body: false })).toMatchObject({ subject: "Hi", body: undefined });
  expect(await reader.readArriving(source, { body: true })).toMatchObject({ subject: "Hi", body: "Hello\n" });
});
