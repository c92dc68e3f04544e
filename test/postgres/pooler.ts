import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";

/**
 * A pooler in transaction mode, as PgBouncer is: its few connections to the database serve many clients. A client has one
 * for a transaction, or for a statement outside of one, and then another one if there are several.
 */
export class PostgresPooler {
  /** Those without a client, the one that has waited longest first. */
  readonly #idle: Backend[] = [];
  readonly #waiting: ((backend: Backend | undefined) => void)[] = [];
  readonly #backends = new Set<Backend>();
  readonly #clients = new Set<Socket>();

  private constructor(
    private readonly listener: Server,
    private readonly database: URL,
    private readonly size: number,
  ) {
    listener.on("connection", (client) => this.#serve(client));
  }

  /** @param size Most connections to the database. */
  static async start(database: string, size = 3): Promise<PostgresPooler> {
    const listener = createServer({ noDelay: true }).listen(0, "127.0.0.1");
    await once(listener, "listening");
    return new PostgresPooler(listener, new URL(database), size);
  }

  get url(): string {
    const address = this.listener.address();
    if (address === null || typeof address === "string") throw new Error("The pooler has no port.");
    const url = new URL(this.database);
    url.port = String(address.port);
    return url.href;
  }

  /** Breaks all connections, as a pooler that is killed does. */
  cut(): void {
    for (const client of this.#clients) client.destroy();
    for (const { socket } of this.#backends) socket.destroy();
  }

  close(): void {
    this.listener.close();
    this.cut();
  }

  #serve(client: Socket): void {
    this.#clients.add(client);
    let isStarted = false;
    let backend: Backend | undefined;
    let pending: Buffer[] = [];
    const pass = () => {
      for (const message of pending) backend?.send(message);
      pending = [];
    };
    const refuse = (reason: string) => client.end(errorMessage(reason));
    onMessages(client, "client", (message) => {
      if (!isStarted) {
        if (isEncryptionRequest(message)) return client.write("N");
        isStarted = true;
        const unknown = parameterNames(message).find((name) => !PARAMETERS.has(name.toLowerCase()));
        if (unknown !== undefined) return refuse(`unsupported startup parameter: ${unknown}`);
        return client.write(Buffer.concat([AUTHENTICATED, keyData(), READY]));
      }
      if (typeOf(message) === "X") return client.end();
      pending.push(message);
      if (backend !== undefined) return pass();
      if (pending.length > 1) return;
      return this.#acquire((acquired) => {
        if (acquired === undefined) return refuse("cannot connect to server");
        if (client.destroyed) return this.#release(acquired);
        backend = acquired;
        backend.receive = (answer, isLast) => {
          client.write(answer);
          if (!isLast) return;
          backend = undefined;
          this.#release(acquired);
        };
        backend.onClose = () => client.destroySoon();
        pass();
      });
    });
    client.on("error", () => undefined);
    client.on("close", () => {
      this.#clients.delete(client);
      // It may be in a transaction.
      backend?.socket.destroy();
    });
  }

  /** Opens all connections before it uses one again. */
  #acquire(use: (backend: Backend | undefined) => void): void {
    const isFull = this.#backends.size >= this.size;
    const backend = isFull ? this.#idle.shift() : undefined;
    if (backend !== undefined) return use(backend);
    this.#waiting.push(use);
    if (!isFull) this.#connect();
  }

  #release(backend: Backend): void {
    backend.receive = () => undefined;
    backend.onClose = () => undefined;
    const next = this.#waiting.shift();
    if (next === undefined) this.#idle.push(backend);
    else next(backend);
  }

  #connect(): void {
    const backend = new Backend(this.database, (ready) => this.#release(ready));
    this.#backends.add(backend);
    backend.socket.on("close", () => {
      this.#backends.delete(backend);
      const place = this.#idle.indexOf(backend);
      if (place !== -1) this.#idle.splice(place, 1);
      backend.onClose();
      for (const use of this.#waiting.splice(0)) {
        if (backend.isReady) this.#acquire(use);
        else use(undefined);
      }
    });
  }
}

/** A connection to the database. */
class Backend {
  readonly socket: Socket;
  /** Gets what the database sends to the client; the last message after which another client may use the connection. */
  receive: (message: Buffer, isLast: boolean) => void = () => undefined;
  onClose: () => void = () => undefined;
  /** Whether the database has accepted the connection. */
  isReady = false;
  /** Statements, or groups of messages, that the database has not answered yet. */
  #unanswered = 0;

  constructor({ hostname, port, username, password, pathname }: URL, onReady: (backend: Backend) => void) {
    this.socket = connect({ host: hostname, port: Number(port), noDelay: true });
    const parameters = ["user", username, "database", pathname.slice(1), "application_name", "pooler", ""];
    this.socket.write(startupMessage(parameters));
    onMessages(this.socket, "server", (message) => {
      const type = typeOf(message);
      if (this.isReady) {
        if (type === "Z") this.#unanswered -= 1;
        return this.receive(message, type === "Z" && message.at(-1) === IDLE && this.#unanswered === 0);
      }
      if (type === "R" && message.readInt32BE(5) === PASSWORD_WANTED) this.socket.write(typed("p", `${password}\0`));
      if (type !== "Z") return;
      this.isReady = true;
      onReady(this);
    });
    this.socket.on("error", () => undefined);
  }

  send(message: Buffer): void {
    // A statement, the end of a group of messages, or a function call.
    if (["Q", "S", "F"].includes(typeOf(message))) this.#unanswered += 1;
    this.socket.write(message);
  }
}

/** What PgBouncer accepts by default. */
const PARAMETERS = new Set([
  "user",
  "database",
  "application_name",
  "client_encoding",
  "datestyle",
  "timezone",
  "standard_conforming_strings",
]);

const PASSWORD_WANTED = 3;
const IDLE = "I".charCodeAt(0);
const AUTHENTICATED = typed("R", "\0\0\0\0");
const READY = typed("Z", "I");

/** The process and the secret with which a client may cancel a statement: of the pooler, not of the database. */
function keyData(): Buffer {
  return typed("K", randomBytes(8));
}

function errorMessage(reason: string): Buffer {
  return typed("E", ["SFATAL", "VFATAL", "C08P01", `M${reason}`, "", ""].join("\0"));
}

function typed(type: string, body: string | Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(4 + body.length);
  return Buffer.concat([Buffer.from(type), length, Buffer.from(body)]);
}

function startupMessage(parameters: readonly string[]): Buffer {
  const body = Buffer.from(`${parameters.join("\0")}\0`);
  const head = Buffer.alloc(8);
  head.writeInt32BE(8 + body.length);
  head.writeInt32BE(0x3_00_00, 4);
  return Buffer.concat([head, body]);
}

function isEncryptionRequest(message: Buffer): boolean {
  return [80_877_103, 80_877_104].includes(message.readInt32BE(4));
}

function parameterNames(startup: Buffer): readonly string[] {
  const texts = startup.toString("utf8", 8).split("\0");
  return texts.filter((name, index) => index % 2 === 0 && name !== "");
}

function typeOf(message: Buffer): string {
  return String.fromCharCode(message[0] ?? 0);
}

/** Calls for each whole message of the protocol. A client's first ones have no type, until it has started. */
function onMessages(socket: Socket, from: "client" | "server", receive: (message: Buffer) => unknown): void {
  let rest = Buffer.alloc(0);
  let isStarted = from === "server";
  socket.on("data", (data: Buffer) => {
    rest = Buffer.concat([rest, data]);
    for (;;) {
      const typeBytes = isStarted ? 1 : 0;
      if (rest.length < typeBytes + 4) return;
      const end = typeBytes + rest.readInt32BE(typeBytes);
      if (rest.length < end) return;
      const message = rest.subarray(0, end);
      rest = rest.subarray(end);
      isStarted ||= !isEncryptionRequest(message);
      receive(message);
    }
  });
}
