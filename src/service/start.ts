import { createApp } from "./app.js";
import { type Clock, runningClock } from "./clock.js";
import { type DataFolder, holdDataFolder } from "./folder.js";
import { isLoopback } from "./host.js";
import { listen, type Ports } from "./listen.js";
import { type CapturedMails, capturedMails } from "./mail/captured.js";
import { LOCAL_PORT } from "../api/local.js";
import { defaultSeed, type Seed } from "./store/seed.js";
import { openStore, type Store } from "./store/store.js";

const MEMORY = ":memory:";

export interface ServiceOptions {
  /** The data folder, made where it is missing; or `:memory:`, which is gone when the service closes. */
  readonly data: string;
  /** Where it is missing: the one that this data folder had last, else 4680, else any free one. 0 is any free one. */
  readonly port?: number;
  /**
   * The address to listen on. Default `127.0.0.1`: only this machine, and only under its own names. Any other is open
   * to the network: whoever reaches it reads the captured mails.
   */
  readonly host?: string;
  /** Whether rate limits are enforced. Default true. */
  readonly limits?: boolean;
  /** Default: the machine's time. */
  readonly clock?: Clock;
  /** Templates roots whose `_assets` folders are served under `/assets/`. */
  readonly assets?: readonly string[];
  /** What a new data folder holds. Default: a paid account with the key `local` and the domain `example.test`. */
  readonly seed?: Seed;
  /** Is told of each failure of the service itself, which its client sees as a 500. Default: a process warning. */
  readonly onError?: (error: Error) => void;
}

export interface RunningService {
  /** The base URL, without a version: `http://127.0.0.1:4680`. */
  readonly url: string;
  readonly port: number;
  /** The first domain of the seed. */
  readonly domain: string;
  readonly apiKey: string;
  readonly clock: Clock;
  /** What it was sent. */
  readonly mail: CapturedMails;
  /** Lets requests under way finish, ends every connection and gives the data folder back. */
  close(): Promise<void>;
}

/**
 * Starts the local service: the service that `spec/api-v4.md` describes, on an embedded database.
 *
 * @example
 * const service = await startService({ data: ".lettershop" });
 * const client = createClient({ baseUrl: service.url, apiKey: service.apiKey });
 * await client.emails.send(service.domain, { from: "hello", to: "ada@example.com", subject: "Hi", text: "Hi" });
 * service.mail.list(); // and to look at: `${service.url}/mail`
 * await service.close();
 *
 * @throws DataFolderHeldError where another process has the data folder; PortUnavailableError where the port cannot be
 * had; DatabaseNewerError; MissingPeerError on a Node without SQLite of its own.
 */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const { clock = runningClock(), seed = defaultSeed } = options;
  const folder = options.data === MEMORY ? undefined : await holdDataFolder(options.data);
  try {
    const store = await openStore(folder?.databaseFile ?? MEMORY, seed, clock.now());
    try {
      return await serve({ ...options, clock, seed }, store, folder);
    } catch (error) {
      store.close();
      throw error;
    }
  } catch (error) {
    folder?.release();
    throw error;
  }
}

type Settled = ServiceOptions & Required<Pick<ServiceOptions, "clock" | "seed">>;

async function serve(options: Settled, store: Store, folder: DataFolder | undefined): Promise<RunningService> {
  const { clock, seed, host = "127.0.0.1", limits = true, assets = [], onError = warn } = options;
  const mail = capturedMails(store);
  const mailFolder = folder?.mailFolder;
  const loopbackOnly = isLoopback(host);
  const app = createApp({ store, clock, limits, assets, onError, mail, mailFolder, loopbackOnly });
  const ports: Ports = options.port === undefined ? await preferredPorts(folder) : [options.port];
  const listener = await listen(app, host, ports);
  const { port } = listener;
  const url = `http://${urlHost(host)}:${port}`;
  const domain = seed.domains[0].name;
  await folder?.writeServiceFile({ url, domain, pid: process.pid });

  const end = async () => {
    await listener.close();
    store.close();
    await folder?.writeServiceFile({ url, domain });
    folder?.release();
  };
  let ended: Promise<void> | undefined;
  return { url, port, domain, apiKey: seed.apiKey, clock, mail, close: () => (ended ??= end()) };
}

async function preferredPorts(folder: DataFolder | undefined): Promise<Ports> {
  const last = await folder?.readServiceFile();
  const lastPort = Number(last && URL.parse(last.url)?.port);
  return lastPort ? [lastPort, LOCAL_PORT, 0] : [LOCAL_PORT, 0];
}

/** The host for a URL. An address that stands for all of them is reached by loopback. */
function urlHost(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}

function warn(error: Error): void {
  process.emitWarning(error.message, {
    type: "LettershopServiceFailure",
    ...(error.stack !== undefined && { detail: error.stack }),
  });
}
