import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { createServer as createTcpServer, type Server, type Socket } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { smtpCertificate } from "../../../src/service/inbound/certificate.js";
import { startApi, temporaryFolder } from "../harness.js";
import { course, firstCourse, logOf, webhook } from "./smtp.js";

const email = { from: "bob@shop.example", to: "in@example.test", subject: "Order", text: "Hello" };

async function listening(server: Pick<Server, "listen" | "address" | "once">): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server as Server, "listening");
  const address = server.address();
  return `127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
}

/** Webhooks that respond badly, by their paths. */
const behaviours: Record<string, (response: ServerResponse) => void> = {
  hangs: () => {},
  "drips-headers": (response) => {
    // A response of which nothing is complete.
    const { socket } = response;
    socket?.write("HTTP/1.1 200 OK\r\n");
    const timer = setInterval(() => socket?.write("x: 1\r\n"), 200);
    socket?.on("close", () => clearInterval(timer));
  },
  "drips-body": (response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write("x"), 200);
    response.on("close", () => clearInterval(timer));
  },
  "1-gb": (response) => {
    response.writeHead(200);
    const chunk = Buffer.alloc(1024 * 1024);
    let left = 1024;
    const write = (): void => {
      while (left > 0 && !response.destroyed) {
        left -= 1;
        if (!response.write(chunk)) return void response.once("drain", write);
      }
      response.end();
    };
    write();
  },
  resets: (response) => response.socket?.resetAndDestroy(),
  redirects: (response) => response.writeHead(307, { location: "/found" }).end(),
  found: (response) => response.writeHead(200).end(),
  gone: (response) => response.writeHead(410).end(),
  limits: (response) => response.writeHead(429).end(),
};

const paths: string[] = [];

/** A service that posts to each of them, while the other tests run: it waits ten seconds for some responses. */
async function postToAll() {
  const server = createServer((request, response) => {
    const path = request.url?.slice(1) ?? "";
    paths.push(path);
    request.resume().on("end", () => behaviours[path]?.(response));
  });
  // Garbage collection must not make the service forget its time limits.
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  const collecting = setInterval(collect, 1_000);
  afterAll(() => {
    clearInterval(collecting);
    server.closeAllConnections();
    server.close();
  });
  const host = await listening(server);
  const names = Object.keys(behaviours).filter((name) => name !== "found");
  const aliases = names.map((alias) => ({ alias, forward: `http://${host}/${alias}` }));
  const api = await startApi({ seed: { domains: [{ name: "example.test", aliases }] } }, afterAll);
  for (const name of names) await api.service.receive({ ...email, to: `${name}@example.test` });
  return api;
}

const posting = await postToAll();

const SECRET = "hunter2";

/** A relay with an account, whose URL contains its password. */
async function relayWith(options: SMTPServerOptions): Promise<string> {
  const server = new SMTPServer({ disableReverseLookup: true, ...options });
  const host = await listening(server.server);
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return `smtp://app:${SECRET}@${host}`;
}

async function brokenRelay(onConnection: (socket: Socket) => void): Promise<string> {
  const server = createTcpServer((socket) => onConnection(socket.on("error", () => {})));
  const host = await listening(server);
  onTestFinished(() => void server.close());
  return `smtp://app:${SECRET}@${host}`;
}

test.each<[string, () => Promise<string>, string]>([
  [
    "does not accept the login",
    () =>
      relayWith({
        disabledCommands: ["STARTTLS"],
        allowInsecureAuth: true,
        onAuth: ({ password }, _session, done) => done(new Error(`5.7.8 ${password} is wrong`)),
      }),
    "4.7.0 The relay does not accept the login of its URL",
  ],
  [
    "has a certificate of nobody",
    async () => {
      const relay = await relayWith({ authOptional: true, ...(await smtpCertificate(undefined)) });
      // The certificate of a loopback address is not verified.
      return relay.replace("127.0.0.1", "0.0.0.0");
    },
    "certificate",
  ],
  ["greets with 554", () => brokenRelay((socket) => void socket.end("554 5.7.1 Go away\r\n")), "554 5.7.1 Go away"],
  ["drops connections", () => brokenRelay((socket) => void socket.destroy()), "can't be reached"],
  [
    "speaks no SMTP",
    () => brokenRelay((socket) => void socket.end("HTTP/1.1 400 Bad Request\r\n\r\n")),
    "HTTP/1.1 400",
  ],
])("a relay that %s is tried again; its password stays secret", async (_what, start, message) => {
  const api = await startApi({
    relay: await start(),
    seed: { domains: [{ name: "example.test", aliases: [{ alias: "in", forward: "ada@example.org" }] }] },
  });
  await api.service.receive(email);
  await expect.poll(() => firstCourse(api)).toEqual(["QUEUED 250", "SOFT-BOUNCE 451"]);
  const [entry] = await logOf(api);
  expect(entry?.events.at(-1)?.message).toContain(message);
  expect(JSON.stringify(entry)).not.toContain(SECRET);
  expect(JSON.stringify(entry)).not.toContain(Buffer.from(SECRET).toString("base64"));
});

test("a relay without TLS gets no password", async () => {
  let heard = "";
  const relay = await brokenRelay((socket) => {
    socket.write("220 relay\r\n");
    socket.setEncoding("utf8").on("data", (text: string) => {
      heard += text;
      socket.write(text.startsWith("EHLO") ? "250-relay\r\n250 AUTH PLAIN LOGIN\r\n" : "235 OK\r\n");
    });
  });
  const api = await startApi({
    // The connection to a loopback address needs no TLS.
    relay: relay.replace("127.0.0.1", "0.0.0.0"),
    seed: { domains: [{ name: "example.test", aliases: [{ alias: "in", forward: "ada@example.org" }] }] },
  });
  await api.service.receive(email);
  await expect.poll(() => firstCourse(api)).toEqual(["QUEUED 250", "SOFT-BOUNCE 451"]);
  expect(heard).toContain("EHLO");
  expect(heard).not.toContain("AUTH");
});

test("a relay's response of several lines is one line in the log and in the bounce", async () => {
  const relay = await brokenRelay((socket) => {
    socket.write("220 relay\r\n");
    socket.setEncoding("utf8").on("data", (text: string) => {
      const isData = text.startsWith("RCPT");
      socket.write(isData ? "550-5.1.1 Unknown\r\n550-Subject: injected\r\n550 5.1.1 user\r\n" : "250 OK\r\n");
    });
  });
  const api = await startApi({
    relay: relay.replace(/app:.+@/, ""),
    seed: { domains: [{ name: "example.test", aliases: [{ alias: "in", forward: "ada@example.org" }] }] },
  });
  await api.service.receive({ ...email, from: "b@example.test" });
  await expect.poll(() => firstCourse(api)).toEqual(["QUEUED 250", "HARD-BOUNCE 550"]);
  const [entry] = await logOf(api);
  expect(entry?.events.at(-1)?.message).toBe("5.1.1 Unknown Subject: injected 5.1.1 user");
});

test("webhooks that don't respond leave room for others", async () => {
  const hanging = await webhook(() => "never");
  const other = await webhook();
  const aliases = [
    { alias: "hangs", forward: `http://${hanging.host}/` },
    { alias: "*", forward: `http://${hanging.host}/each` },
    { alias: "in", forward: `http://${other.host}/` },
  ];
  const api = await startApi({ seed: { domains: [{ name: "example.test", aliases }] } });
  const recipients = Array.from({ length: 30 }, (_, index) => `${index % 2 === 0 ? "hangs" : "any"}@example.test`);
  await Promise.all(recipients.map((to) => api.service.receive({ ...email, to })));
  await expect.poll(() => hanging.posts.length).toBe(20);
  await api.service.receive(email);
  await expect.poll(() => other.posts.length).toBe(1);
  expect(await firstCourse(api)).toEqual(["QUEUED 250"]);
});

test("a relay that does not respond leaves room for webhooks", async () => {
  const { posts, host } = await webhook();
  let connections = 0;
  const relay = await brokenRelay(() => (connections += 1));
  const aliases = [
    { alias: "in", forward: `http://${host}/` },
    ...Array.from({ length: 120 }, (_, index) => ({ alias: `a${index}`, forward: `ada@org${index % 20}.example` })),
  ];
  const api = await startApi({ relay, seed: { domains: [{ name: "example.test", aliases }] } });
  const recipients = aliases.slice(1).map(({ alias }) => `${alias}@example.test`);
  await Promise.all(recipients.map((to) => api.service.receive({ ...email, to })));
  await expect.poll(() => connections).toBeGreaterThan(0);
  await api.service.receive(email);
  await expect.poll(() => posts.length).toBe(1);
  expect(await firstCourse(api)).toEqual(["QUEUED 250"]);
});

test("a relay that does not respond does not keep the service from stopping", { timeout: 30_000 }, async () => {
  const relay = await relayWith({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData: (stream) => stream.resume(),
  });
  const data = await temporaryFolder();
  const api = await startApi({
    data,
    relay: relay.replace(/app:.+@/, ""),
    seed: { domains: [{ name: "example.test", aliases: [{ alias: "in", forward: "ada@example.org" }] }] },
  });
  for (let count = 0; count < 10; count += 1) await api.service.receive(email);
  await expect.poll(() => firstCourse(api)).toEqual(["QUEUED 250"]);
  await api.service.close();
  const next = await startApi({ data });
  await expect.poll(() => next.service.mail.total("forwarded")).toBe(10);
});

test("a delivery that is cut off because the service stops is not a failed try", async () => {
  const data = await temporaryFolder();
  const { posts, host } = await webhook((count) => (count === 1 ? "never" : 200));
  const first = await startApi({
    data,
    seed: { domains: [{ name: "example.test", aliases: [{ alias: "in", forward: `http://${host}/` }] }] },
  });
  await first.service.receive(email);
  await expect.poll(() => posts.length).toBe(1);
  await first.service.close();
  const second = await startApi({ data });
  await expect.poll(() => firstCourse(second)).toEqual(["QUEUED 250", "DELIVERED 250"]);
});

test("webhooks that respond badly are given up in time", async () => {
  const ends = async () => {
    const entries = await logOf(posting);
    return Object.fromEntries(entries.map((entry) => [entry.recipient.email.split("@")[0], course(entry).slice(1)]));
  };
  await expect.poll(ends).toEqual({
    hangs: ["SOFT-BOUNCE 451"],
    "drips-headers": ["SOFT-BOUNCE 451"],
    "drips-body": ["DELIVERED 250"],
    "1-gb": ["DELIVERED 250"],
    resets: ["SOFT-BOUNCE 451"],
    redirects: ["SOFT-BOUNCE 451"],
    gone: ["HARD-BOUNCE 554"],
    limits: ["HARD-BOUNCE 554"],
  });
  expect(paths).not.toContain("found");
});
