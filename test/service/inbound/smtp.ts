import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { connect, type Socket } from "node:net";
import { createTransport } from "nodemailer";
import { SMTPServer } from "smtp-server";
import { smtpCertificate } from "../../../src/service/inbound/certificate.js";
import { onTestFinished } from "vitest";
import type { z } from "zod";
import { logEntrySchema } from "../../../src/api/contract/v4/logs.js";
import type { ReceivedEmailBody } from "../../../src/service/index.js";
import type { Api } from "../harness.js";

type Mail = Api["service"]["mail"];

interface Message {
  readonly from?: string;
  readonly to: string | string[];
  readonly subject?: string;
  readonly text?: string;
  readonly messageId?: string;
  /** A credential to log in with. */
  readonly auth?: { readonly user: string; readonly pass: string };
}

/** Sends by SMTP; resolves to the last response, whether it accepts or refuses. */
export async function sendTo(
  port: number | undefined,
  { from = "bob@shop.example", auth, ...message }: Message,
): Promise<string> {
  const server = { host: "127.0.0.1", port: Number(port), tls: { rejectUnauthorized: false } };
  const transport = createTransport({ ...server, ...(auth && { auth }) });
  try {
    return (await transport.sendMail({ from, subject: "Hi", text: "Hello", ...message })).response;
  } catch (error) {
    return String(error instanceof Error && "response" in error ? error.response : error);
  } finally {
    transport.close();
  }
}

export type Entry = z.output<typeof logEntrySchema>;

/** The domain's log, oldest first. */
export async function logOf(api: Pick<Api, "get">, query = ""): Promise<Entry[]> {
  const answer = await api.get(`/domains/example.test/logs?order=created_asc${query}`);
  return (JSON.parse(answer.text) as { logs: unknown[] }).logs.map((entry) => logEntrySchema.parse(entry));
}

/** An entry's events as `STATUS code`. */
export function course(entry: Entry | undefined): string[] {
  return entry?.events.map(({ status, code }) => `${status} ${code}`) ?? [];
}

/** The course of the domain's first entry. */
export async function firstCourse(api: Pick<Api, "get">): Promise<string[]> {
  const [entry] = await logOf(api);
  return course(entry);
}

/** The addresses that emails have been forwarded to, in alphabetical order. */
export function forwardedTo(mail: Mail): string[] {
  const addresses = mail
    .list({ folder: "forwarded" })
    .flatMap(({ recipients }) => recipients.map(({ email }) => email));
  return addresses.toSorted((one, other) => one.localeCompare(other));
}

/** A captured email with its content. */
export async function opened(mail: Mail, captured: { readonly id: string } | undefined) {
  const content = await mail.open(captured?.id ?? "");
  if (!content) throw new Error("There is no such email.");
  return content;
}

/** A client that sends what it is told, byte by byte. */
export async function rawClient(port: number | undefined) {
  const socket: Socket = connect({ host: "127.0.0.1", port: Number(port) });
  onTestFinished(() => void socket.destroy());
  let text = "";
  socket.setEncoding("utf8").on("data", (data: string) => (text += data));
  await once(socket, "connect");
  const responses = () => text.split("\r\n").filter((line) => /^\d{3} /.test(line));
  /** Sends, and waits until there are this many further responses. */
  const send = async (data: string | Buffer, count = 1): Promise<string[]> => {
    const before = responses().length;
    socket.write(data);
    while (responses().length < before + count && !socket.destroyed) await once(socket, "data");
    return responses().slice(before);
  };
  while (responses().length === 0) await once(socket, "data");
  return { send, socket };
}

export interface Post {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: ReceivedEmailBody;
}

/** A webhook that answers with what `answer` returns for the number of its posts. */
export async function webhook(answer: (count: number) => number | "never" | Promise<number> = () => 200) {
  const posts: Post[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const text = Buffer.concat(chunks).toString("utf8");
      posts.push({ headers: request.headers, text, body: JSON.parse(text) });
      const respond = (status: number | "never") =>
        status === "never" ? undefined : response.writeHead(status, { location: "/elsewhere" }).end();
      void Promise.resolve(answer(posts.length)).then(respond);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return { posts, host: `127.0.0.1:${typeof address === "object" ? address?.port : ""}` };
}

export interface Relayed {
  readonly from: string;
  readonly to: string[];
  readonly source: string;
}

/** Another SMTP server, which answers each message with what `answer` returns for the number of messages so far and the recipient. */
export async function relayServer(
  answer: (count: number, to: string) => number = () => 250,
  { tls = false }: { readonly tls?: boolean } = {},
) {
  const got: Relayed[] = [];
  let count = 0;
  const server = new SMTPServer({
    authOptional: true,
    ...(tls ? await smtpCertificate(undefined) : { disabledCommands: ["STARTTLS"] }),
    disableReverseLookup: true,
    onData(stream, { envelope: { mailFrom, rcptTo } }, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const to = rcptTo[0]?.address ?? "";
        const code = answer((count += 1), to);
        const source = Buffer.concat(chunks).toString("utf8");
        if (code < 300)
          got.push({ from: mailFrom ? mailFrom.address : "", to: rcptTo.map(({ address }) => address), source });
        const full = `5.2.2 <${to.toUpperCase()}>: Mailbox full`;
        done(code < 300 ? null : Object.assign(new Error(full), { responseCode: code }));
      });
    },
  });
  // Clients that are killed reset their connections.
  server.on("error", () => undefined);
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const address = server.server.address();
  return { got, url: `smtp://127.0.0.1:${typeof address === "object" ? address?.port : ""}` };
}
