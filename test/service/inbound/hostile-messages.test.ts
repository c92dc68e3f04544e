import PostalMime from "postal-mime";
import { afterAll, describe, expect, test } from "vitest";
import type { Seed } from "../../../src/service/index.js";
import { type Api, startApi } from "../harness.js";
import { course, forwardedTo, logOf, rawClient, webhook } from "./smtp.js";

const HEAD = "From: b@c.example\r\nTo: a@example.test\r\n";

function forwarding(aliases: Readonly<Record<string, string>>): { seed: Seed } {
  const list = Object.entries(aliases).map(([alias, forward]) => ({ alias, forward }));
  return { seed: { domains: [{ name: "example.test", aliases: list }] } };
}

/** Forwards everything. */
const shared = startApi(forwarding({ "*": "ada@example.com" }), afterAll);

/** Whether a message is accepted, or why not. */
async function receive({ service }: Api, raw: string | Buffer<ArrayBuffer>, to: string | string[] = "a@example.test") {
  return await service.receive({ raw, from: "b@c.example", to }).then(
    () => "accepted",
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}

async function newest({ service }: Api) {
  const [mail] = service.mail.list({ folder: "forwarded", limit: 1 });
  return await service.mail.open(mail?.id ?? "");
}

/** Resolves when every delivery has ended. */
async function settled(api: Api): Promise<void> {
  const courses = async () => (await logOf(api, "&limit=200")).map(course);
  let before: string[][] = [];
  await expect
    .poll(
      async () => {
        const [last, now] = [before, await courses()];
        before = now;
        return now.length > 0 && JSON.stringify(now) === JSON.stringify(last);
      },
      { interval: 300, timeout: 20_000 },
    )
    .toBe(true);
}

describe("addresses that forward to each other", () => {
  test("an email reaches each of them once, however many ways lead there", async () => {
    const api = await startApi(
      forwarding({
        one: "two@example.test, three@example.test",
        two: "four@example.test",
        three: "Four@example.test",
        four: "ada@example.com",
      }),
    );
    expect(await receive(api, `${HEAD}\r\nHello`, "one@example.test")).toBe("accepted");
    await settled(api);
    expect(forwardedTo(api.service.mail)).toEqual(["ada@example.com"]);
  });

  test("an email does not multiply among addresses that all forward to each other", async () => {
    const names = Array.from({ length: 8 }, (_, index) => `a${index}`);
    const others = (name: string) => names.flatMap((other) => (other === name ? [] : `${other}@example.test`));
    const api = await startApi(forwarding(Object.fromEntries(names.map((name) => [name, others(name).join(",")]))));
    expect(await receive(api, `${HEAD}\r\nHello`, "a0@example.test")).toBe("accepted");
    await settled(api);
    const entries = await logOf(api, "&limit=200");
    const accepted = entries.filter((entry) => course(entry)[0] === "QUEUED 250");
    expect(accepted.map(({ recipient }) => recipient.email).toSorted()).toEqual(
      names.map((name) => `${name}@example.test`),
    );
    // Each of the other seven has sent it back to the first.
    expect(forwardedTo(api.service.mail)).toEqual(Array<string>(7).fill("b@c.example"));
  });

  test("the same email sent again is a different one", async () => {
    const api = await startApi(forwarding({ one: "two@example.test", two: "ada@example.com" }));
    for (let count = 0; count < 2; count += 1) await receive(api, `${HEAD}\r\nHello`, "one@example.test");
    await expect.poll(() => forwardedTo(api.service.mail)).toEqual(["ada@example.com", "ada@example.com"]);
  });
});

const nested = (levels: number) =>
  Array.from(
    { length: levels },
    (_, level) => `Content-Type: multipart/mixed; boundary=b${level}\r\n\r\n--b${level}\r\n`,
  );

test.each<[string, string | Buffer<ArrayBuffer>]>([
  ["no headers", "hello"],
  ["nothing at all", ""],
  ["only an empty line", "\r\n"],
  ["no body", "Subject: x"],
  ["a byte order mark", `\uFEFF${HEAD}\r\nhi`],
  ["mixed newlines", "From: b@c.example\nSubject: x\r\rTo: a\r\n\n\r\nhi\r"],
  ["null bytes", `${HEAD}Subject: a\0b\r\n\r\n\0`],
  ["binary", Buffer.concat([Buffer.from(HEAD), Buffer.from(Array.from({ length: 512 }, (_, index) => index % 256))])],
  ["repeated headers", `${HEAD}${HEAD}Subject: 1\r\nSubject: 2\r\nMessage-ID: <1@c>\r\nMessage-ID: <2@c>\r\n\r\nhi`],
  ["10,000 headers", `${HEAD}${Array.from({ length: 10_000 }, (_, index) => `X-H${index}: value\r\n`).join("")}\r\nhi`],
  ["almost a megabyte of headers", `X: ${"x".repeat(1024 * 1024 - 10)}\r\n\r\nhi`],
  ["a line of 100,000 characters", `${HEAD}X: ${"x".repeat(100_000)}\r\n\r\n${"y".repeat(100_000)}`],
  ["only a calendar", `${HEAD}Content-Type: text/calendar; method=REQUEST\r\n\r\nBEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n`],
  ["only an attachment", `${HEAD}Content-Type: application/pdf\r\nContent-Disposition: attachment\r\n\r\n%PDF`],
  ["100 messages in each other", `${HEAD}${"Content-Type: message/rfc822\r\n\r\n".repeat(100)}\r\nhi`],
  ["multiparts that never end", `${HEAD}${nested(200).join("")}\r\nhi`],
  [
    "a boundary of 100,000 characters",
    `${HEAD}Content-Type: multipart/mixed; boundary="${"x".repeat(100_000)}"\r\n\r\nhi`,
  ],
  [
    "an unknown charset and encoding",
    `${HEAD}Content-Type: text/plain; charset=x\r\nContent-Transfer-Encoding: x\r\n\r\nhi`,
  ],
])("a message with %s is forwarded byte for byte", async (_what, raw) => {
  const api = await shared;
  expect(await receive(api, raw)).toBe("accepted");
  const source = Buffer.from((await newest(api))?.source ?? []);
  const original = Buffer.from(raw);
  expect(source.subarray(source.length - original.length).equals(original)).toBe(true);
  expect(source.subarray(0, source.length - original.length).toString()).toMatch(
    /^Delivered-To: a@example\.test\r\nX-Forwarded-To: ada@example\.com\r\nReceived: from [^\r\n]+\r\n(?:Message-ID: <[^\r\n]+>\r\n)?$/,
  );
});

test.each<[string, string, string]>([
  ["a header of 5 MB", `${HEAD}X: ${"x".repeat(5_000_000)}\r\n\r\nhi`, "headers are larger than 1 MB"],
  ["100,000 recipients", `To: ${"a@b.example,".repeat(100_000)}\r\n\r\nhi`, "headers are larger than 1 MB"],
  ["headers without end", "X: 1\r\n".repeat(500_000), "headers are larger than 1 MB"],
  ["300 multiparts in each other", `${HEAD}${nested(300).join("")}\r\nhi`, "nesting depth"],
])("a message with %s is refused", async (_what, raw, reason) => {
  const api = await shared;
  const answer = await receive(api, raw);
  expect(answer).toContain("5.6.0 The message can't be read");
  expect(answer).toContain(reason);
  expect(await receive(api, `${HEAD}\r\nhi`)).toBe("accepted");
});

test("an email whose body takes too long to parse is shown with its headers, and its source can be loaded", async () => {
  const api = await shared;
  const raw = `${HEAD}Subject: Flow\r\nContent-Type: text/plain; format=flowed\r\n\r\n${" \r\n".repeat(300_000)}`;
  expect(await api.service.receive(raw)).toEqual({ ids: [expect.any(String)] });
  const opened = await newest(api);
  expect(opened).toMatchObject({ subject: "Flow", to: [{ email: "a@example.test" }] });
  expect(opened?.text).toBeUndefined();
  expect((await api.request(`/mail/${opened?.id}/message.eml`)).text).toContain(raw);
});

test("a list of addresses that takes too long is refused, and small emails are accepted meanwhile", async () => {
  const api = await shared;
  const slow = receive(api, `To: ${"a:b;".repeat(60_000)}\r\n\r\nhi`);
  expect(await Promise.race([slow, receive(api, `${HEAD}\r\nhi`)])).toBe("accepted");
  expect(await slow).toMatch(/5\.6\.0 The message can't be read.+ takes more than 1000 ms/);
});

test("encoded line breaks stay values", async () => {
  const { posts, host } = await webhook();
  const api = await startApi(forwarding({ "*": `ada@example.com, hard-bounce@example.com, http://${host}/` }));
  const inject = "=?utf-8?Q?a=0D=0ABcc:_eve@example.com=0D=0A=0D=0Abody?=";
  const raw = [
    `From: ${inject} <b@c.example>`,
    `To: ${inject} <a@example.test>`,
    `Subject: ${inject}`,
    "Message-ID: <1\v2@c.example>",
    "Content-Type: multipart/mixed; boundary=b",
    "",
    "--b",
    `Content-Disposition: attachment; filename="${inject}../../../etc/passwd"`,
    "",
    "x",
    "--b--",
  ].join("\r\n");
  expect(await receive(api, raw)).toBe("accepted");
  await expect.poll(() => forwardedTo(api.service.mail)).toEqual(["ada@example.com", "b@c.example"]);
  await expect.poll(() => posts.length).toBe(1);
  for (const { id } of api.service.mail.list({ folder: "forwarded" })) {
    const { headers } = await PostalMime.parse((await api.service.mail.open(id))?.source ?? "");
    expect(headers.map(({ key }) => key)).not.toContain("bcc");
  }
  expect(posts[0]?.body.headers.map(({ name }) => name)).not.toContain("Bcc");
  expect(posts[0]?.body).toMatchObject({
    subject: "a Bcc: eve@example.com body",
    attachments: [{ filename: "a Bcc: eve@example.com body../../../etc/passwd" }],
  });
  const [entry] = await logOf(api);
  expect(entry).toMatchObject({ subject: "a Bcc: eve@example.com body" });
  const [first] = api.service.mail.list({ folder: "forwarded" });
  const eml = await api.request(`/mail/${first?.id}/attachments/1`);
  expect(eml.headers.get("content-disposition")).not.toMatch(/[\r\n]/);
});

test("a message of lines that start with a dot arrives as it was", { timeout: 30_000 }, async () => {
  const api = await shared;
  const { send } = await rawClient(api.service.smtpPort);
  await send("EHLO client.example\r\n");
  await send("MAIL FROM:<b@c.example>\r\nRCPT TO:<a@example.test>\r\nDATA\r\n", 3);
  const lines = ".\r\n".repeat(20_000);
  expect(await send(`${HEAD}\r\n${lines.replaceAll(".", "..")}.\r\n`)).toEqual([expect.stringMatching(/^250/)]);
  const source = Buffer.from((await newest(api))?.source ?? []).toString();
  expect(source.endsWith(`${HEAD}\r\n${lines}`)).toBe(true);
});

test("the name that a client gives itself can't add headers", async () => {
  const api = await shared;
  const { send } = await rawClient(api.service.smtpPort);
  expect(await send("EHLO a\rBcc: eve@example.com\r\n")).toEqual([expect.stringMatching(/^501/)]);
  await send(`EHLO x)by;evil;(${"y".repeat(200)}\r\n`);
  await send("MAIL FROM:<b@c.example>\r\nRCPT TO:<a@example.test>\r\nDATA\r\n", 3);
  await send(`${HEAD}\r\nhi\r\n.\r\n`);
  const names = (await newest(api))?.headers.map(({ name }) => name);
  expect(names).toEqual(["Delivered-To", "X-Forwarded-To", "Received", "Message-ID", "From", "To"]);
});

test("a sender that is a webhook, a list or needs quotes is refused, so that bounces reach nobody else", async () => {
  const { posts, host } = await webhook();
  const api = await startApi(forwarding({ "*": "hard-bounce@example.com" }));
  const { send } = await rawClient(api.service.smtpPort);
  await send("EHLO client.example\r\n");
  const special = ["a;b@c.example", "x(y)@c.example", '"a.b"@c.example', "a\\b@c.example"];
  for (const sender of [`http://${host}/x@c.example`, `a,http://${host}/x@c.example`, ...special]) {
    await send(`MAIL FROM:<${sender}>\r\n`);
    expect(await send("RCPT TO:<a@example.test>\r\n")).toEqual([expect.stringMatching(/^553 5\.1\.7/)]);
    await send("RSET\r\n");
  }
  const raw = `From: <http://${host}/x@c.example>\r\nTo: a@example.test\r\n\r\nhi`;
  await expect(api.service.receive(raw)).rejects.toMatchObject({ response: { code: 553 } });
  expect(new Set((await logOf(api)).flatMap(course))).toEqual(new Set(["REFUSED 553"]));
  expect(await receive(api, `${HEAD}\r\nhi`)).toBe("accepted");
  await expect.poll(() => forwardedTo(api.service.mail)).toEqual(["b@c.example"]);
  expect(posts).toEqual([]);
});

test.each(["", "a@[IPv6:::1]", "a@[192.0.2.1]", "a@localhost", "!#$%&'*+-/=?^_`{|}~.é😀@c.example"])(
  "the sender <%s> is accepted",
  async (sender) => {
    const { send } = await rawClient((await shared).service.smtpPort);
    await send("EHLO client.example\r\n");
    const responses = await send(`MAIL FROM:<${sender}>\r\nRCPT TO:<a@example.test>\r\n`, 2);
    expect(responses).toEqual([expect.stringMatching(/^250/), expect.stringMatching(/^250/)]);
  },
);
