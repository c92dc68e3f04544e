import { once } from "node:events";
import type { Server } from "node:http";
import type { Socket } from "node:net";

/** How long requests that are under way may take to finish. */
const GRACE_MS = 2_000;

/** Watches the server's connections, and gives the function that ends them: at once where they are idle, else after their answer. */
export function gracefulClose(server: Server): () => Promise<void> {
  // Node's own idea of an idle connection leaves out those that have not asked for anything yet.
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
