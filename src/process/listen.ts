import { once } from "node:events";
import type { Server } from "node:net";

/** Ports to try, in this order; 0 means any free one. */
export type Ports = readonly [number, ...number[]];

/**
 * Listens on the first available port.
 *
 * @param unavailable The error if none is available, from the last port and its cause.
 */
export async function listenOnFirst(
  server: Server,
  host: string,
  [port, next, ...others]: Ports,
  unavailable: (port: number, cause: unknown) => Error,
): Promise<number> {
  try {
    server.listen({ host, port });
    await once(server, "listening");
  } catch (cause) {
    if (next === undefined) throw unavailable(port, cause);
    return await listenOnFirst(server, host, [next, ...others], unavailable);
  }
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : port;
}
