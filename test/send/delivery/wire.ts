import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { type AddressInfo, connect, createServer, type Server, Socket } from "node:net";
import { onTestFinished } from "vitest";

/**
 * - `through`: to the service and back;
 * - `refused`: nothing listens;
 * - `reset`: the connection breaks when a request arrives;
 * - `silent`: there is never an answer;
 * - `failing`: every answer is a 503.
 */
export type Condition = "through" | "refused" | "reset" | "silent" | "failing";

/** The connection to a service, which a test can break. */
export class Wire {
  readonly #target: URL;
  readonly #sockets = new Set<Socket>();
  /** The other ends of the connections. */
  readonly #clients = new Set<Socket>();
  readonly #server: Server;
  #condition: Condition = "through";
  url = "";

  private constructor(target: string) {
    this.#target = new URL(target);
    this.#server = createServer((socket) => this.#accept(socket));
  }

  static async to(target: string): Promise<Wire> {
    const wire = new Wire(target);
    await wire.#listen(0);
    const connected = (message: unknown) => wire.#noteClient(message);
    subscribe("undici:client:connected", connected);
    onTestFinished(async () => {
      unsubscribe("undici:client:connected", connected);
      await wire.#hangUp();
    });
    return wire;
  }

  async become(condition: Condition): Promise<void> {
    if (condition === this.#condition) return;
    const wasClosed = this.#condition === "refused";
    this.#condition = condition;
    if (condition === "refused") return this.#hangUp();
    await this.#disconnect();
    if (wasClosed) await this.#listen(Number(new URL(this.url).port));
  }

  async #listen(port: number): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(port, "127.0.0.1", resolve));
    const { port: actualPort } = this.#server.address() as AddressInfo;
    this.url = `http://127.0.0.1:${actualPort}`;
  }

  async #hangUp(): Promise<void> {
    const closed = new Promise<void>((resolve) => void this.#server.close(() => resolve()));
    await this.#disconnect();
    await closed;
  }

  /** Also waits until the clients know, so that none sends on a closed connection. */
  async #disconnect(): Promise<void> {
    const gone = [...this.#clients].map((socket) => new Promise((resolve) => void socket.once("close", resolve)));
    for (const socket of this.#sockets) socket.destroy();
    await Promise.all(gone);
  }

  #noteClient(message: unknown): void {
    const socket = typeof message === "object" && message !== null && "socket" in message && message.socket;
    if (!(socket instanceof Socket) || socket.remotePort !== Number(new URL(this.url).port)) return;
    this.#clients.add(socket);
    socket.once("close", () => this.#clients.delete(socket));
  }

  #accept(socket: Socket): void {
    this.#keep(socket);
    switch (this.#condition) {
      case "through": {
        const onward = this.#keep(connect(Number(this.#target.port), this.#target.hostname));
        socket.pipe(onward).pipe(socket);
        return;
      }
      case "reset":
        socket.once("data", () => socket.destroy());
        return;
      case "failing":
        socket.on("data", () => {
          socket.end("HTTP/1.1 503 Service Unavailable\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}");
        });
        return;
      case "silent":
        socket.resume();
        return;
      case "refused":
        socket.destroy();
    }
  }

  #keep(socket: Socket): Socket {
    this.#sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => this.#sockets.delete(socket));
    return socket;
  }
}
