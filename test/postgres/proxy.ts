import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";

/**
 * What happens to a packet of a client: it is passed on or not, or the connection breaks in the middle of it, before the
 * answer, or in the middle of the answer.
 */
export type Fate = "pass" | "hold" | "cut" | "lose answer" | "cut answer";

/** A proxy in front of a database, for tests that break connections at a certain statement. */
export class PostgresProxy {
  /** Decides for each packet of a client. */
  decide: (packet: string) => Fate = () => "pass";
  readonly #sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly database: URL,
  ) {
    server.on("connection", (client) => this.#connect(client));
  }

  static async start(database: string): Promise<PostgresProxy> {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    return new PostgresProxy(server, new URL(database));
  }

  get url(): string {
    const address = this.server.address();
    if (address === null || typeof address === "string") throw new Error("The proxy has no port.");
    const url = new URL(this.database);
    url.port = String(address.port);
    return url.href;
  }

  close(): void {
    this.server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #connect(client: Socket): void {
    const database = connect(Number(this.database.port), this.database.hostname);
    let fateOfAnswer: Fate = "pass";
    client.on("data", (data) => {
      const fate = this.decide(data.toString("latin1"));
      if (fate === "hold") return;
      if (fate === "cut") database.write(halfOf(data), () => client.destroy());
      else database.write(data);
      if (fate !== "pass") fateOfAnswer = fate;
    });
    database.on("data", (data) => {
      if (fateOfAnswer === "pass") client.write(data);
      else if (fateOfAnswer === "cut answer") client.write(halfOf(data), () => client.destroy());
      else client.destroy();
    });
    for (const [socket, other] of [
      [client, database],
      [database, client],
    ] as const) {
      this.#sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        this.#sockets.delete(socket);
        other.destroy();
      });
    }
  }
}

function halfOf(data: Buffer): Buffer {
  return data.subarray(0, data.length / 2);
}
