import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { getRequestListener } from "@hono/node-server";
import type { Hono } from "hono";
import { LettershopError } from "../../../errors.js";
import { urlHost } from "./hosts.js";

/** The address or port can't be used. */
export class PreviewPortError extends LettershopError {
  override readonly name = "PreviewPortError";
  readonly code = "port_unavailable";

  constructor(host: string, port: number, options: { readonly cause: unknown }) {
    const isTaken = options.cause instanceof Error && "code" in options.cause && options.cause.code === "EADDRINUSE";
    const at = `${urlHost(host)}:${port}`;
    super(isTaken ? `${at} is already in use.` : `The preview can't listen on ${at}.`, {
      ...options,
      hint: isTaken
        ? "Choose another with --port, or leave it out to use a free one."
        : "Choose another address with --host or another port with --port.",
    });
  }
}

export interface Listener {
  readonly port: number;
  /** Closes every connection at once. The page reconnects by itself if a server starts again. */
  close(): Promise<void>;
}

/** Ports to try, in this order; 0 means any free one. */
export type Ports = readonly [number, ...number[]];

/**
 * Serves the app on the first available port.
 *
 * @throws {PreviewPortError} None of the ports is available.
 */
export async function listen(app: Hono, host: string, ports: Ports): Promise<Listener> {
  const respond = getRequestListener((request, bindings) => app.fetch(request, bindings), {
    // Handles errors before the app is reached, such as an invalid URL or host.
    errorHandler: () => Response.json({ error: { message: "The request is not valid HTTP." } }, { status: 400 }),
    overrideGlobalObjects: false,
  });
  const server = createServer((incoming, outgoing) => void respond(incoming, outgoing));
  const port = await bind(server, host, ports);
  return {
    port,
    async close() {
      server.close();
      server.closeAllConnections();
      if (server.listening) await once(server, "close");
    },
  };
}

async function bind(server: Server, host: string, [port, next, ...others]: Ports): Promise<number> {
  try {
    server.listen({ host, port });
    await once(server, "listening");
  } catch (cause) {
    if (next === undefined) throw new PreviewPortError(host, port, { cause });
    return bind(server, host, [next, ...others]);
  }
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : port;
}
