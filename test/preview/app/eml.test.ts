import PostalMime from "postal-mime";
import { expect, test } from "vitest";
import { emlOf } from "../../../preview/export/eml.js";

const email = {
  from: "no-reply@shop.example",
  to: "ada@example.com",
  subject: "Receipt 1042",
  html: "<p>Paid.</p>",
  text: "Paid.",
  date: new Date("2026-11-28T04:46:26Z"),
  images: [],
};

test("an email client reads back what was exported", async () => {
  const html = `<p>Grüezi 👋🏽</p>\n${"<td></td>".repeat(400)}`;
  const subject = `Rechnung für Żaneta 👩‍👩‍👧 ${"ä".repeat(200)} =?`;
  const source = emlOf({
    ...email,
    from: "Café „Süd“ <no-reply@shop.example>",
    to: '"Ada" L. <ada@example.com>',
    subject,
    html,
  });
  expect(source.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
  for (const line of source.split("\r\n")) expect(line).toMatch(/^[\x20-\x7e]{0,76}$/);
  const read = await PostalMime.parse(source);
  expect(read).toMatchObject({
    from: { name: "Café „Süd“", address: "no-reply@shop.example" },
    to: [{ name: '"Ada" L.', address: "ada@example.com" }],
    subject,
    date: "2026-11-28T04:46:26.000Z",
  });
  expect(read.html?.trimEnd().replaceAll("\r\n", "\n")).toBe(html);
  expect(read.text?.trimEnd()).toBe("Paid.");
});

test("images without a public URL are embedded, others stay linked", async () => {
  const images = [{ path: "assets/a/logo.png", type: "image/png", base64: btoa("logo") }];
  const html = `<img src="assets/a/logo.png"><td background='assets/a/logo.png' style="background: url(assets/none.png)">
    <img src="https://cdn.example/assets/a/logo.png">`;
  const read = await PostalMime.parse(emlOf({ ...email, html, images }));
  expect(read.html?.trimEnd()).toBe(
    html
      .replace('"assets/a/logo.png"', '"cid:image-1"')
      .replace("'assets/a/logo.png'", "'cid:image-1'")
      .replaceAll("\n", "\r\n"),
  );
  expect(read.text?.trimEnd()).toBe("Paid.");
  const [image] = read.attachments;
  expect(image).toMatchObject({ mimeType: "image/png", contentId: "<image-1>", related: true });
  expect(new TextDecoder().decode(image?.content as ArrayBuffer)).toBe("logo");
});

test("no value can inject a header", async () => {
  const read = await PostalMime.parse(
    emlOf({ ...email, to: "ada@example.com\r\nBcc: eve@example.com", subject: "Hi\r\nX-Other: 1" }),
  );
  expect(read.subject).toBe("Hi X-Other: 1");
  expect(read.headers.map(({ key }) => key)).toEqual(["from", "to", "subject", "date", "mime-version", "content-type"]);
});
