import { expect, test } from "vitest";
import { outboundEmailResponse } from "../../src/api/contract/v4/emails.js";
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

async function location(api: Api, path: string): Promise<string | null> {
  const answer = await api.request(path);
  expect(answer.status).toBe(302);
  return answer.headers.get("location");
}

test("the URLs of the inbox, of emails and of their parts lead to the page", async () => {
  const api = await startApi();
  expect(await location(api, "/mail")).toBe("/#/inbox");
  const id = await send(api, { bcc: "hidden@example.com", text: "The text", html: "<p>The html</p>" });
  expect(await location(api, `/mail/${id}`)).toBe(`/#/inbox/${id}`);
  for (const [part, query] of [
    ["rendered", ""],
    ["text", "?part=text"],
    ["html", "?part=html"],
    ["headers", "?part=headers"],
    ["source", "?part=source"],
    ["attachments", "?part=attachments"],
    ["events", "?part=delivery"],
  ])
    expect(await location(api, `/mail/${id}/${part}`)).toBe(`/#/inbox/${id}${query}`);

  // The log ids of other recipients lead to the same email.
  const hidden = api.service.mail.list()[0]?.recipients.find(({ email }) => email === "hidden@example.com")?.logId;
  expect(hidden).not.toBe(id);
  expect(await location(api, `/mail/${hidden}`)).toBe(`/#/inbox/${id}`);
});

test("the page loads only files of the service, compressed if the browser accepts that, and runs only its own script", async () => {
  const api = await startApi();
  const page = await api.request("/");
  expect(page.headers.get("content-type")).toBe("text/html; charset=UTF-8");
  expect(page.text).toContain("<title>Inbox</title>");
  expect(page.text).toMatch(/<noscript>.*\/local\/mails\?newest=200.*\/mail\/ID\/message\.eml.*<\/noscript>/s);
  const policy = page.headers.get("content-security-policy")?.split("; ");
  expect(policy).toEqual(
    expect.arrayContaining([
      "default-src 'none'",
      "script-src 'self'",
      "connect-src 'self'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]),
  );
  const files = [...page.text.matchAll(/(?:src|href)="\.(\/[^"]+)"/g)].map(([, path]) => path ?? "");
  expect(files.toSorted()).toEqual(["/app.css", "/app.js"]);
  for (const path of [...files, "/licences.txt"]) {
    const plain = await api.request(path);
    expect([plain.status, plain.headers.get("content-encoding")]).toEqual([200, null]);
    expect(plain.headers.get("x-content-type-options")).toBe("nosniff");
    const compressed = await fetch(`${api.service.url}${path}`, { headers: { "accept-encoding": "gzip, br" } });
    expect(compressed.headers.get("content-encoding")).toBe("br");
    expect(await compressed.text()).toBe(plain.text);
  }
});

test("attachments are downloaded with their own names, and the whole email as a file", async () => {
  const api = await startApi();
  const png = Buffer.from("not really a png");
  const id = await send(api, {
    html: `<img src="cid:logo@x">`,
    attachments: [{ filename: "Lögo (1)'s.png", content: png.toString("base64"), content_id: "logo@x" }],
  });
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
});
