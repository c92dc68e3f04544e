import { once } from "node:events";
import { inspect } from "node:util";
import selfsigned from "selfsigned";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { RejectedError, SendUnreachableError } from "../../src/send/index.js";
import { failureOf, mailerTo, MESSAGE } from "./mailers.js";

/** Reaches this machine, but is not a loopback address: to a mailer, another machine. */
const OTHER_MACHINE = "0.0.0.0";
const login = { user: "app@example.test", password: "secret-password" };

let certificate: { readonly key: string; readonly cert: string };
beforeAll(async () => {
  const { private: key, cert } = await selfsigned.generate([{ name: "commonName", value: "mail" }], {
    keyType: "ec",
    extensions: [{ name: "subjectAltName", altNames: [{ type: 2, value: "mail.example.test" }] }],
  });
  certificate = { key, cert };
});

async function aServer(options: SMTPServerOptions = {}) {
  const sources: string[] = [];
  const logins: string[] = [];
  const server = new SMTPServer({
    ...certificate,
    authOptional: true,
    disableReverseLookup: true,
    onAuth: ({ username = "", password }, _session, answer) => {
      logins.push(username);
      if (password === login.password) answer(null, { user: username });
      else answer(Object.assign(new Error(`5.7.8 ${password} is wrong`), { responseCode: 535 }));
    },
    onData(stream, { secure }, done) {
      let source = "";
      stream.setEncoding("utf8").on("data", (text: string) => (source += text));
      stream.on("end", () => {
        sources.push(`${secure ? "encrypted" : "plain"} ${source}`);
        done();
      });
    },
    ...options,
  });
  server.on("error", () => undefined);
  server.listen(0, "0.0.0.0");
  await once(server.server, "listening");
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const address = server.server.address();
  return { sources, logins, port: typeof address === "object" && address ? address.port : 0 };
}

test("a server on this machine needs no certificate that can be verified", async () => {
  const { port, sources } = await aServer();
  for (const host of ["127.0.0.1", "localhost"]) await mailerTo(port, {}, { host, ...login }).sendMessage(MESSAGE);
  expect(sources.map((source) => source.split(" ")[0])).toEqual(["encrypted", "encrypted"]);
  const plain = await aServer({ disabledCommands: ["STARTTLS"], allowInsecureAuth: true });
  await mailerTo(plain.port, {}, login).sendMessage(MESSAGE);
  expect(plain.sources[0]).toMatch(/^plain /);
});

test("another machine's certificate is verified", async () => {
  const { port, sources, logins } = await aServer();
  const impatient = { maxWait: 100 };
  const send = (tls?: object) =>
    mailerTo(port, impatient, { host: OTHER_MACHINE, ...login, ...(tls && { tls }) }).sendMessage(MESSAGE);
  for (const tls of [
    undefined,
    { servername: "mail.example.test" },
    { ca: certificate.cert, servername: "other.test" },
  ]) {
    const error = await failureOf(send(tls));
    expect(error).toBeInstanceOf(SendUnreachableError);
    expect(String(error)).toMatch(/self-signed certificate|altnames/);
    expect(error).toMatchObject({ hint: expect.stringMatching(/`tls: \{ (ca|servername) \}`/) });
  }
  expect(logins).toEqual([]);
  await send({ ca: certificate.cert, servername: "mail.example.test" });
  expect(sources).toHaveLength(1);
});

test("a certificate that is given is verified on this machine too", async () => {
  const { port } = await aServer();
  const tls = { ca: certificate.cert };
  const error = await failureOf(mailerTo(port, { maxWait: 100 }, { tls }).sendMessage(MESSAGE));
  expect(String(error)).toMatch(/altnames/);
});

test("a port that expects TLS from the start is named as a possible cause", async () => {
  const { port } = await aServer({ secure: true });
  const mailer = mailerTo(port, { maxWait: 100, timeoutMs: 1_000 });
  const error = await failureOf(mailer.sendMessage(MESSAGE));
  expect(error).toBeInstanceOf(SendUnreachableError);
  const hint = expect.stringContaining("TLS from the start, which is only used on port 465");
  expect(error).toMatchObject({ message: expect.stringContaining("Greeting never received"), hint });
  expect(await mailer.verify()).toMatchObject({ ok: false, checks: [{ hint }] });
});

test("without TLS, another machine gets neither a password nor a message, unless that is allowed", async () => {
  const { port, sources, logins } = await aServer({ disabledCommands: ["STARTTLS"], allowInsecureAuth: true });
  const server = { host: OTHER_MACHINE, ...login };
  const error = await failureOf(mailerTo(port, { maxWait: 100 }, server).sendMessage(MESSAGE));
  expect(error).toMatchObject({ code: "rejected", refusesAccount: true, hint: expect.stringContaining("no TLS") });
  expect([...sources, ...logins]).toEqual([]);
  await mailerTo(port, { allowInsecure: true }, server).sendMessage(MESSAGE);
  expect(sources).toHaveLength(1);
});

test("a server that does not offer a login gets no message from a mailer with a password", async () => {
  const { port, sources } = await aServer({ disabledCommands: ["AUTH", "STARTTLS"] });
  const error = await failureOf(mailerTo(port, {}, login).sendMessage(MESSAGE));
  expect(error).toBeInstanceOf(RejectedError);
  expect(error).toMatchObject({ refusesAccount: true });
  expect(sources).toEqual([]);
});

test("a password that a server quotes is in no error", async () => {
  const { port } = await aServer();
  const mailer = mailerTo(port, {}, { ...login, password: "hunter2-hunter2" });
  const error = await failureOf(mailer.sendMessage(MESSAGE));
  expect(String(error)).toContain("[password] is wrong");
  for (const shown of [inspect(error, { depth: null }), inspect(mailer, { depth: null }), JSON.stringify(mailer)])
    expect(shown).not.toContain("hunter2");
});
