import { expect, test } from "vitest";
import { outboundEmailResponse } from "../../src/api/contract/v4/sending.js";
import { type Api, startApi } from "./harness.js";

async function send(api: Api, mail: object): Promise<string> {
  const answer = await api.post("/domains/example.test/emails/outbound", {
    from: "hello",
    to: "ada@example.com",
    subject: "Hi",
    ...mail,
  });
  return answer.read(outboundEmailResponse).id;
}

async function page(api: Api, path: string): Promise<string> {
  const answer = await api.request(path);
  expect(answer.status).toBe(200);
  return answer.text;
}

test("the list shows the newest emails first, fifty per page", async () => {
  const api = await startApi();
  expect(await page(api, "/mail")).toContain("No emails yet");
  for (let count = 1; count <= 51; count += 1) await send(api, { subject: `Mail number ${count}`, text: "Hi" });
  const first = await page(api, "/mail");
  expect(first.indexOf("Mail number 51")).toBeGreaterThan(-1);
  expect(first.indexOf("Mail number 51")).toBeLessThan(first.indexOf("Mail number 50"));
  expect(first).toContain("ada@example.com");
  expect(first).toContain("hello@example.test");
  expect(first).toContain("delivered");
  expect(first).not.toContain("Mail number 1<");

  const [, older] = /href="(\/mail\?before=\d+)"/.exec(first) ?? [];
  const second = await page(api, older ?? "");
  expect(second).toContain("Mail number 1<");
  expect(second).not.toContain("Mail number 2<");
  expect(second).not.toContain("Older emails");
  expect(await page(api, "/mail?before=nonsense")).toBe(first);
});

test("an email's page has its envelope and all its parts", async () => {
  const api = await startApi();
  const id = await send(api, {
    to: "Ada Lovelace <ada@example.com>",
    cc: "cc@example.com",
    bcc: "hidden@example.com",
    reply_to: "reply@example.com",
    subject: "Receipt 1042",
    html: "<p>The html</p>",
    text: "The text",
    attachments: [{ filename: "terms & conditions.txt", content: Buffer.from("terms").toString("base64") }],
  });
  const rendered = await page(api, `/mail/${id}`);
  for (const shown of [
    "Receipt 1042",
    "Ada Lovelace &lt;ada@example.com&gt;",
    "cc@example.com",
    "hidden@example.com",
    "reply@example.com",
  ]) {
    expect(rendered).toContain(shown);
  }
  expect(rendered).toContain(`<iframe`);
  expect(rendered).toContain(`/mail/${id}/frame.html`);
  expect(await page(api, `/mail/${id}/text`)).toContain("The text");
  expect(await page(api, `/mail/${id}/html`)).toContain("&lt;p&gt;The html&lt;/p&gt;");
  expect(await page(api, `/mail/${id}/headers`)).toContain("Message-ID");
  expect(await page(api, `/mail/${id}/source`)).toContain("MIME-Version: 1.0");
  expect(await page(api, `/mail/${id}/attachments`)).toContain("terms &amp; conditions.txt");
  const events = await page(api, `/mail/${id}/events`);
  for (const shown of ["queued", "delivered", "hidden@example.com", id]) expect(events).toContain(shown);

  // The log ids of other recipients lead to the same email.
  const hidden = api.service.mail.list()[0]?.recipients.find(({ email }) => email === "hidden@example.com")?.logId;
  expect(await page(api, `/mail/${hidden}`)).toBe(rendered);
});

test("an email without HTML opens with its text, and has no tabs for missing parts", async () => {
  const api = await startApi();
  const shown = await page(api, `/mail/${await send(api, { text: "Only text" })}`);
  expect(shown).toContain("Only text");
  expect(shown).not.toContain("Rendered");
  expect(shown).not.toContain("Attachments");
});

test("content of an email never becomes markup of the page", async () => {
  const api = await startApi();
  const evil = `"><script>alert(1)</script>`;
  const id = await send(api, {
    subject: evil,
    text: evil,
    html: evil,
    to: `"<script>" <ada@example.com>`,
    attachments: [{ filename: `${evil}.txt`, content: "YQ==", content_id: "<script>" }],
  });
  for (const view of ["", "/text", "/html", "/headers", "/source", "/attachments", "/events"]) {
    expect(await page(api, `/mail/${id}${view}`)).not.toContain("<script");
  }
  expect(await page(api, "/mail")).not.toContain("<script");
});

test("pages cannot run or load anything, and the email even less", async () => {
  const api = await startApi();
  const id = await send(api, { html: "<script>alert(1)</script><img src='https://example.com/x.png'>" });
  const policy = async (path: string) => (await api.request(path)).headers.get("content-security-policy") ?? "";

  for (const path of ["/mail", `/mail/${id}`, `/mail/${id}/source`]) {
    const parts = (await policy(path)).split("; ");
    expect(parts).toEqual(
      expect.arrayContaining(["default-src 'none'", "form-action 'none'", "frame-ancestors 'none'"]),
    );
    expect(parts.some((part) => part.startsWith("script-src"))).toBe(false);
  }
  const frame = await policy(`/mail/${id}/frame.html`);
  expect(frame).toContain("default-src 'none'");
  expect(frame).toContain("sandbox allow-popups allow-popups-to-escape-sandbox");
  expect(frame).not.toMatch(
    /script|https?:(?!\/\/(?:127\.0\.0\.1|localhost):\d+)|allow-same-origin|allow-top-navigation/,
  );

  // Images from other servers are loaded on request.
  const shown = await page(api, `/mail/${id}`);
  expect(shown).toContain(`/mail/${id}/rendered?images=all`);
  expect(await page(api, `/mail/${id}/rendered?images=all`)).toContain(`/frame.html?images=all`);
  expect(await policy(`/mail/${id}/frame.html?images=all`)).toMatch(/img-src [^;]* http: https:;/);
});

test("images of the service itself are always shown", async () => {
  const api = await startApi();
  const own = await send(api, { html: `<img src="http://localhost:${api.service.port}/assets/logo.png">` });
  expect(await page(api, `/mail/${own}`)).not.toContain("not loaded");
  const policy = (await api.request(`/mail/${own}/frame.html`)).headers.get("content-security-policy");
  expect(policy).toContain(`http://localhost:${api.service.port}`);
  for (const html of [
    `<td background='//example.com/a.png'>`,
    `<p style="background: url( 'https://example.com/a.png')">`,
    `<img srcset=http://example.com/a.png>`,
  ]) {
    expect(await page(api, `/mail/${await send(api, { html })}`)).toContain("not loaded");
  }
  for (const html of [`<a href="https://example.com/">x</a>`, `<img src="data:image/png;base64,AA">`]) {
    expect(await page(api, `/mail/${await send(api, { html })}`)).not.toContain("not loaded");
  }
});

test.each([
  ["<!doctype html><html lang=en><head><title>x</title></head></html>", '<head><base target="_blank"><title>'],
  ["<html><body>x</body></html>", '<html><base target="_blank"><body>'],
  ["<!DOCTYPE html><p>x</p>", '<!DOCTYPE html><base target="_blank"><p>'],
  ["<p>x</p>", '<base target="_blank"><p>'],
  ["<header>x</header>", '<base target="_blank"><header>'],
])("in the frame, links of %s open outside it", async (html, expected) => {
  const api = await startApi();
  expect(await page(api, `/mail/${await send(api, { html })}/frame.html`)).toContain(expected);
});

test("embedded images are shown, and attachments are downloaded with their own names", async () => {
  const api = await startApi();
  const png = Buffer.from("not really a png");
  const id = await send(api, {
    html: `<img src="cid:logo@x"><img src='cid:none'>`,
    attachments: [{ filename: "Lögo (1)'s.png", content: png.toString("base64"), content_id: "logo@x" }],
  });
  const frame = await page(api, `/mail/${id}/frame.html`);
  expect(frame).toContain(`<img src="/mail/${id}/attachments/1"><img src='cid:none'>`);

  const file = await fetch(`${api.service.url}/mail/${id}/attachments/1`);
  expect(Buffer.from(await file.arrayBuffer())).toEqual(png);
  expect(file.headers.get("content-type")).toBe("image/png");
  expect(file.headers.get("content-disposition")).toBe("attachment; filename*=UTF-8''L%C3%B6go%20%281%29%27s.png");
  expect(file.headers.get("content-security-policy")).toContain("sandbox");

  const source = await fetch(`${api.service.url}/mail/${id}/message.eml`);
  expect(source.headers.get("content-type")).toBe("message/rfc822");
  expect(Buffer.from(await source.arrayBuffer())).toEqual(Buffer.from((await api.service.mail.open(id))?.source ?? []));
});

test("unknown emails and parts are reported on a page", async () => {
  const api = await startApi();
  const id = await send(api, { text: "x" });
  for (const path of [
    "/mail/1.ff",
    `/mail/${id}/nothing`,
    `/mail/${id}/attachments/1`,
    `/mail/1.ff/message.eml`,
    `/mail/${id}/toString`,
  ]) {
    const answer = await api.request(path);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([404, "text/html; charset=UTF-8"]);
    expect(answer.text).toContain("All captured emails");
  }
  expect((await api.request("/mail/style.css")).headers.get("content-type")).toContain("text/css");
  expect((await fetch(api.service.url, { redirect: "manual" })).headers.get("location")).toBe("/mail");
});
