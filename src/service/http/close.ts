import { once } from "node:events";
import type { Server } from "node:http";
import type { Socket } from "node:net";

/** Maximum time in ms for running requests to finish. */
const GRACE_MS = 2_000;

/** Returns a function that closes the server's connections: idle ones at once, others after their response. */
export function gracefulClose(server: Server): () => Promise<void> {
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
