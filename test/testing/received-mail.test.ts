import { expect, test } from "vitest";
import { type ReceivedMail, readMail } from "../../src/testing/received-mail.js";

function read({
  subject = "Hi",
  text,
  html,
}: {
  subject?: string;
  text?: string;
  html?: string;
}): Promise<ReceivedMail> {
  const type = html === undefined ? "text/plain" : "text/html";
  const source = `From: Shop <shop@example.test>\r\nTo: ada@example.com\r\nSubject: ${subject}\r\nMessage-ID: <1@example.test>\r\nContent-Type: ${type}; charset=utf-8\r\n\r\n${html ?? text ?? ""}\r\n`;
  return readMail(source, { id: "1.a", to: "ada@example.com" });
}

const page = `<head><style>a[href="https://no.example"] {}</style></head>
<a href="https://shop.example/"><img src="x.png" alt="Shop"></a>
<!-- <a href="https://comment.example">no</a> -->
<p><A class="button" HREF='https://shop.example/reset?token=a&amp;user=1'>Choose a <b>new</b> password</A></p>
<p>Or copy: <a href="https://shop.example/reset?token=a&#38;user=1">https://shop.example/reset?token=a&amp;user=1</a></p>
<a href="mailto:help@shop.example">Help</a>`;

test("has what was sent", async () => {
  expect(await read({ subject: "Grüße", text: "Hallo" })).toMatchObject({
    id: "1.a",
    messageId: "<1@example.test>",
    from: "shop@example.test",
    to: "ada@example.com",
    subject: "Grüße",
    text: "Hallo\n",
  });
});

test("finds a link by its text, its URL or a pattern for either", async () => {
  const mail = await read({ html: page });
  const address = "https://shop.example/reset?token=a&user=1";
  expect(mail.link("Choose a new password")).toBe(address);
  expect(mail.link("/reset")).toBe(address);
  expect(mail.link(/token=\w/)).toBe(address);
  expect(mail.link(/^Choose/)).toBe(address);
});

test("returns the only link without a description; several links need one", async () => {
  expect((await read({ html: `<a href="https://a.example">A</a> <a href="https://a.example">again</a>` })).link()).toBe(
    "https://a.example",
  );
  expect((await read({ text: "Open https://a.example/x?y=(1). Bye" })).link()).toBe("https://a.example/x?y=(1");
  const mail = await read({ html: page });
  expect(() => mail.link()).toThrow(
    /several links\. Select one.*Choose a new password: https:\/\/shop\.example\/reset/s,
  );
  expect(() => mail.link("Unsubscribe")).toThrow(/no link that matches Unsubscribe.*Its links:/s);
  expect(() => mail.link("comment.example")).toThrow(/no link/);
});

test("returns the only link with a token without a description", async () => {
  const pageWith = (address: string) =>
    `<a href="https://a.example/help">Help</a> <a href="${address}">Go</a> <a href="https://a.example">A</a>`;
  for (const address of [
    "https://a.example/reset/9mT4xQ7bLw2ZrK8c",
    "https://a.example/join?invitation=0190b2a4-7c1e-7d9a-8a44-8d2f5b1f0a11&lang=en",
    "https://a.example/#token=eyJhbGciOiJIUzI1NiJ9.e30.abc",
  ]) {
    expect((await read({ html: pageWith(address) })).link()).toBe(address);
  }
  const several = await read({ html: pageWith("https://a.example/how-to-reset-a-password") });
  expect(() => several.link()).toThrow("several links");
});

test("reports that text has no links", async () => {
  const mail = await read({ text: "Hi" });
  expect(() => mail.link()).toThrow("The message has no link.");
});

test.each([
  ["Your code is 123456.", "123456"],
  ["Code:123456", "123456"],
  ["123 456 is your code", "123456"],
  ["123-456", "123456"],
  ["4711 is your code. © 2026 Shop, 10 minutes", "4711"],
  ["Your code: 123456. Or open https://a.example/login/99887766?id=11223344", "123456"],
  ["Code 123456; order #778899, total €1200, 1299.00 or 5,000", "123456"],
  ["123456 and once more 123456", "123456"],
  ["K7M2QX is your code, ADA. It works for 10 minutes. BS1 0AA", "K7M2QX"],
])("finds in %j the code %s", async (text, code) => {
  expect((await read({ text })).code()).toBe(code);
});

test("finds a code in the subject, in HTML, or by a pattern", async () => {
  expect((await read({ subject: "123456 is your code", text: "Hi" })).code()).toBe("123456");
  expect((await read({ html: "<style>a { color: #123123 }</style><td>123&nbsp;</td><td>4567</td>" })).code()).toBe(
    "4567",
  );
  expect((await read({ text: "Use AB-12 now" })).code(/[A-Z]{2}-\d\d/)).toBe("AB-12");
  expect((await read({ text: "key=xyz" })).code(/key=(\w+)/)).toBe("xyz");
});

test("throws for no code, or several", async () => {
  const none = await read({ text: "Hi 12, see you in 2027" });
  expect(() => none.code()).toThrow("no code");
  const several = await read({ text: "1234 or 5678" });
  expect(() => several.code()).toThrow("several codes");
});
