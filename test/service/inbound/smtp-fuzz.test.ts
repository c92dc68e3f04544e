import { once } from "node:events";
import { connect } from "node:net";
import { connect as connectTls } from "node:tls";
import * as fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { anyString } from "../../any-string.js";
import { startApi } from "../harness.js";
import { sendTo } from "./smtp.js";

const isLong = process.env["MODE"] === "long";
const errors: Error[] = [];
const api = await startApi(
  {
    onError: (error) => errors.push(error),
    seed: {
      domains: [
        {
          name: "example.test",
          aliases: [
            { alias: "a", forward: "ada@example.com" },
            { alias: "/^r.*/", forward: "a@example.test" },
          ],
          credentials: [{ username: "app", password: "secret" }],
        },
      ],
    },
  },
  afterAll,
);

const plain = (text: string) => Buffer.from(text).toString("base64");
const known = fc.constantFrom(
  "EHLO client.example",
  "HELO client.example",
  "MAIL FROM:<b@c.example>",
  "MAIL FROM:<>",
  "MAIL FROM:<b@c.example> SIZE=99999999999",
  "MAIL FROM:<b@c.example> SIZE=-1 BODY=8BITMIME SMTPUTF8 X=Y",
  "MAIL FROM:<app@example.test>",
  "RCPT TO:<a@example.test>",
  "RCPT TO:<rx@example.test>",
  "RCPT TO:<x@example.test>",
  "RCPT TO:<@relay.example:a@example.test>",
  'RCPT TO:<"a b"@example.test>',
  "RCPT TO:<a@[IPv6:::1]>",
  "RCPT TO:<SRS0=AAAAAAAA=AA=c.example=b@example.test>",
  "DATA",
  "Subject: x\r\n\r\nhi\r\n.",
  ".",
  "RSET",
  "NOOP",
  "QUIT",
  "STARTTLS",
  "AUTH PLAIN",
  `AUTH PLAIN ${plain("\0app@example.test\0secret")}`,
  `AUTH PLAIN ${plain("\0app@example.test\0wrong")}`,
  "AUTH LOGIN",
  plain("app@example.test"),
  plain("secret"),
  "*",
  "VRFY a",
  "EXPN a",
  "HELP",
  "BDAT 10 LAST",
  "XCLIENT ADDR=127.0.0.1",
);
const line = fc.oneof(
  { weight: 6, arbitrary: known },
  { weight: 1, arbitrary: anyString() },
  { weight: 1, arbitrary: anyString().map((text) => `RCPT TO:<${text}@example.test>`) },
  { weight: 1, arbitrary: anyString().map((text) => `MAIL FROM:<${text}>`) },
);
const end = fc.constantFrom("\r\n", "\r\n", "\r\n", "\n", "\r", "");
const commands = fc.array(
  fc.tuple(line, end).map(([text, newline]) => `${text}${newline}`),
  {
    minLength: 3,
    maxLength: 25,
  },
);

/** Sends lines, in pieces or at once, and closes the connection. Everything received must be responses. */
async function talk(lines: readonly string[], { isSplit, isTls }: { isSplit: boolean; isTls: boolean }): Promise<void> {
  const socket = connect({ host: "127.0.0.1", port: Number(api.service.smtpPort) });
  let text = "";
  socket.on("error", () => {});
  await once(socket, "data");
  let stream: NodeJS.WritableStream = socket;
  if (isTls) {
    socket.write("EHLO c.example\r\nSTARTTLS\r\n");
    do await once(socket, "data").then(([data]) => (text += data));
    while (!text.includes("220 "));
    const secure = connectTls({ socket, rejectUnauthorized: false });
    secure.on("error", () => {});
    await once(secure, "secureConnect");
    stream = secure;
    text = "";
    secure.on("data", (data: Buffer) => (text += data.toString()));
  } else {
    socket.on("data", (data: Buffer) => (text += data.toString()));
  }
  const closed = once(socket, "close");
  if (isSplit) for (const each of lines) stream.write(each);
  else stream.write(lines.join(""));
  stream.end();
  await closed;
  // Once TLS begins on the same connection, the rest is not text.
  for (const response of text.split("220 Ready to start TLS")[0]?.split("\r\n").slice(0, -1) ?? [])
    expect(response).toMatch(/^[2-5]\d\d(?:[ -]|$)/);
}

test("no sequence of commands disturbs the service", { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(commands, fc.boolean(), fc.boolean()), { minLength: 5, maxLength: 5 }),
      async (sessions) => {
        await Promise.all(sessions.map(([lines, isSplit, isTls]) => talk(lines, { isSplit, isTls })));
        expect(errors).toEqual([]);
      },
    ),
    { seed: 26, numRuns: isLong ? 500 : 20, endOnFailure: true },
  );
  expect(await sendTo(api.service.smtpPort, { to: "a@example.test" })).toMatch(/^250/);
  expect((await api.get("/account")).status).toBe(200);
});
