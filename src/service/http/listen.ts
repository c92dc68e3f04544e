import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { getRequestListener, RequestError } from "@hono/node-server";
import type { Hono } from "hono";
import { type ApiError, badRequest, serviceFailure } from "./api-error.js";
import { PortUnavailableError } from "../errors.js";
import type { Socket } from "node:net";
import { listenOnFirst, type Ports } from "../../process/listen.js";

export interface Listener {
  readonly port: number;
  /** Stops listening, lets running requests finish, and closes every connection. */
  close(): Promise<void>;
}

/**
 * How long an idle connection is kept. Node's default of five seconds is shorter than a busy process may be blocked,
 * which would close connections on which the client has just sent a request.
 */
const KEEP_ALIVE_MS = 60_000;

/**
 * Serves the app on the first available port.
 *
 * @throws PortUnavailableError if none is available.
 */
export async function listen(app: Hono, host: string, ports: Ports, ownProcess: boolean): Promise<Listener> {
  const respond = getRequestListener((request, bindings) => app.fetch(request, bindings), {
    errorHandler: (error) => errorResponse(error instanceof RequestError ? badAddress : serviceFailure),
    // The adapter's own Request and Response cost a fraction of Node's, but the adapter makes them global.
    overrideGlobalObjects: ownProcess,
  });
  const server = createServer((incoming, outgoing) => void respond(incoming, outgoing));
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  answerMalformedRequests(server);
  const close = gracefulClose(server);
  const port = await listenOnFirst(
    server,
    host,
    ports,
    (last, cause) => new PortUnavailableError(host, last, { cause }),
  );
  return { port, close };
}

/** The error before the app is reached: an invalid URL or Host header. */
const badAddress = badRequest("The request's URL or Host header is not valid.");

function errorResponse({ status, body }: ApiError): Response {
  return Response.json(body, { status });
}

/** Requests that Node's parser rejects do not reach the app. They get a response of the same form. */
function answerMalformedRequests(server: Server): void {
  server.on("clientError", (_error, socket) => {
    if (!socket.writable) return;
    const body = JSON.stringify(badRequest("The request is not valid HTTP.").body);
    const head = [
      "HTTP/1.1 400 Bad Request",
      "Content-Type: application/json",
      `Content-Length: ${Buffer.byteLength(body)}`,
      "Connection: close",
    ];
    socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
  });
}

/** Maximum time in ms for running requests to finish. */
const GRACE_MS = 2_000;

/** Returns a function that closes the server's connections: idle ones at once, others after their response. */
function gracefulClose(server: Server): () => Promise<void> {
  // Node does not count connections as idle that have not sent a request yet.
  const unused = new Set<Socket>();
  server.on("connection", (socket) => {
    unused.add(socket);
    socket.once("close", () => unused.delete(socket));
  });
  server.on("request", (incoming, outgoing) => {
    unused.delete(incoming.socket);
    outgoing.once("close", () => {
      if (!server.listening) setImmediate(() => server.closeIdleConnections());
    });
  });
  return async () => {
    const deadline = setTimeout(() => server.closeAllConnections(), GRACE_MS);
    const closed = once(server, "close");
    server.close();
    for (const socket of unused) socket.destroy();
    await closed;
    clearTimeout(deadline);
  };
}
