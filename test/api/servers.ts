import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import type { ClientOptions } from "../../src/api/calls/caller.js";
import { type Client, type ClientV3, createClient } from "../../src/api/client.js";
import { createSendingClient, type SendingClient } from "../../src/api/sending-client.js";

/** A server on a free loopback port that ends with the test. */
export interface TestServer {
  readonly url: string;
  readonly port: number;
}

export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** An HTTP server that records each request before it answers. */
export async function serve(
  answer: (request: SeenRequest, response: ServerResponse) => void,
): Promise<TestServer & { readonly seen: readonly SeenRequest[] }> {
  const seen: SeenRequest[] = [];
  const listener: RequestListener = (incoming, response) => {
    let body = "";
    incoming.setEncoding("utf8");
    incoming.on("data", (chunk: string) => (body += chunk));
    incoming.on("end", () => {
      const request = { method: incoming.method ?? "", url: incoming.url ?? "", headers: incoming.headers, body };
      seen.push(request);
      answer(request, response);
    });
  };
  return { ...(await listen(createServer(listener))), seen };
}

/** A server of plain connections, for what HTTP servers would not answer. */
export async function serveConnections(onConnection: (socket: Socket) => void): Promise<TestServer> {
  return listen(
    createTcpServer((socket) => {
      socket.on("error", () => undefined);
      onConnection(socket);
    }),
  );
}

/** The URL of a port on which nothing listens. */
export async function unusedUrl(): Promise<string> {
  const server = createTcpServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = addressOf(server);
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}

export function answerJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

type Options = Partial<Omit<ClientOptions, "version">>;

/** A client that is closed with the test. */
export function clientOf(baseUrl: string, options: Options = {}): Client {
  const client = createClient({ apiKey: "key-of-the-test", baseUrl, ...options });
  onTestFinished(() => client.close());
  return client;
}

/** The same calls over each transport. */
export const transports = [
  { transport: "undici", clientOf },
  { transport: "fetch", clientOf: sendingClientOf },
] as const;

function sendingClientOf(baseUrl: string, options: Options = {}): SendingClient {
  const client = createSendingClient({ apiKey: "key-of-the-test", baseUrl, ...options });
  onTestFinished(() => client.close());
  return client;
}

/** One of version 3. */
export function clientV3Of(baseUrl: string, options: Options = {}): ClientV3 {
  const client = createClient({ apiKey: "key-of-the-test", baseUrl, ...options, version: "v3" });
  onTestFinished(() => client.close());
  return client;
}

/** The error that a promise rejects with. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    (value) => {
      throw new Error(`It was fulfilled with ${JSON.stringify(value)}.`);
    },
    (error: unknown) => error,
  );
}

async function listen(server: Server): Promise<TestServer> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = addressOf(server);
  return { url: `http://127.0.0.1:${port}`, port };
}

function addressOf(server: Server): AddressInfo {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return address;
}
