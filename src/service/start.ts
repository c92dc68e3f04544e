import path from "node:path";
import { createApp } from "./app.js";
import { type Clock, clockThatTells, notBefore, runningClock } from "./clock.js";
import type { ServiceContext } from "./context.js";
import { createSettings, type Settings } from "./control/settings.js";
import { Deliveries } from "./delivery/deliveries.js";
import { lookRegularly } from "./delivery/timer.js";
import { Webhooks } from "./delivery/webhooks.js";
import { type DnsSource, requireDnsServers } from "./dns/check.js";
import { createFaults, type Faults } from "./faults/faults.js";
import { type DataFolder, holdDataFolder, usable } from "./folder.js";
import { listen, type Ports } from "./http/listen.js";
import { LogSearch } from "./logs/log-search.js";
import { keepLog } from "./logs/keep-log.js";
import { type CapturedMails, capturedMails } from "./mail/captured.js";
import { Filing } from "./mail/filing.js";
import { isLoopback, LOCAL_PORT } from "../api/local.js";
import { Patterns } from "./rules/patterns.js";
import { plant } from "./seed/plant.js";
import { readSeed } from "./seed/read.js";
import type { Seed } from "./seed/schema.js";
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
  /**
   * The folder of the project that it is for: previews of other projects leave it alone. Default: the folder in which
   * the data folder is; none for `:memory:`.
   */
  readonly project?: string;
  /** Whether rate limits are enforced. Default true. */
  readonly limits?: boolean;
  /** Default: the machine's time. Where it is behind the time to which the data folder has come, it is moved on. */
  readonly clock?: Clock;
  /** Templates roots whose `_assets` folders are served under `/assets/`. */
  readonly assets?: readonly string[];
  /**
   * What the data folder is to hold; what it holds already stays as it is. Default: a paid account with the key `local`
   * and the domain `example.test`.
   */
  readonly seed?: Seed;
  /**
   * Where the DNS records of domains are looked up. Default `ready`: every domain is taken as set up, a new one from the
   * beginning.
   */
  readonly dns?: DnsSource;
  /**
   * Whether nothing else runs in this process: the service then replaces the global `Request` and `Response` by lighter
   * ones, and answers more requests. Default false.
   */
  readonly ownProcess?: boolean;
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
  /** What of the data folder is not as the seed says and stayed as it is, one sentence each. */
  readonly kept: readonly string[];
  readonly clock: Clock;
  /** What is to go wrong with the next calls. */
  readonly faults: Faults;
  /** How it behaves where a test may choose. */
  readonly settings: Settings;
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
 * @throws DataFolderHeldError where another process has the data folder; DataFolderError where it cannot be used;
 * PortUnavailableError where the port cannot be had; DatabaseNewerError; MissingPeerError on a Node without SQLite of its own.
 */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const { clock = runningClock() } = options;
  if (options.dns !== undefined) requireDnsServers(options.dns);
  const folder = options.data === MEMORY ? undefined : await holdDataFolder(options.data);
  try {
    const open = () => openAndServe({ ...options, clock, settings: createSettings() }, folder);
    return await (folder ? usable(folder.path, open) : open());
  } catch (error) {
    folder?.release();
    throw error;
  }
}

type Settled = ServiceOptions & Required<Pick<ServiceOptions, "clock">> & { readonly settings: Settings };

async function openAndServe(options: Settled, folder: DataFolder | undefined): Promise<RunningService> {
  const { clock, settings } = options;
  const store = await openStore(folder?.databaseFile ?? MEMORY, clock, () => settings.get().logDelayMs);
  const patterns = new Patterns();
  try {
    notBefore(clock, store.time.newest());
    return await serve({ ...options, patterns }, store, folder);
  } catch (error) {
    await patterns.close();
    store.close();
    throw error;
  }
}

async function serve(
  options: Settled & { readonly patterns: Patterns },
  store: Store,
  folder: DataFolder | undefined,
): Promise<RunningService> {
  const {
    settings,
    patterns,
    seed = {},
    dns = "ready",
    host = "127.0.0.1",
    limits = true,
    assets = [],
    onError = warn,
    project = folder && path.dirname(folder.path),
  } = options;
  const mailFolder = folder?.mailFolder;
  const filing = new Filing(store, mailFolder, onError);
  const mail = capturedMails(store, filing);
  const loopbackOnly = isLoopback(host);
  const faults = createFaults();
  const logSearch = new LogSearch(store.logFeed);
  const webhooks = new Webhooks(store, options.clock, onError);
  const deliveries = new Deliveries(store, options.clock, webhooks);
  const clock = clockThatTells(options.clock, () => {
    store.time.keep(options.clock.now());
    deliveries.catchUp();
    webhooks.wake();
  });
  const context = { store, clock, settings, deliveries, webhooks, filing, logSearch, patterns, mailFolder, dns };
  const { apiKey, domain, kept } = await plantSeed(seed, context);
  const app = createApp({ ...context, faults, limits, assets, project, onError, mail, loopbackOnly });
  const ports: Ports = options.port === undefined ? await preferredPorts(folder) : [options.port];
  const listener = await listen(app, host, ports, options.ownProcess ?? false);
  const { port } = listener;
  const url = `http://${urlHost(host)}:${port}`;
  await folder?.writeServiceFile({ url, domain, pid: process.pid });

  const logKeeper = keepLog(context, onError);
  const looking = lookRegularly(deliveries, webhooks, onError);
  filing.wake();

  const end = async () => {
    filing.stopWaiting();
    await listener.close();
    looking.stop();
    await webhooks.stop();
    await filing.stop();
    await logKeeper.stop();
    await patterns.close();
    store.time.keep(clock.now());
    store.close();
    await folder?.writeServiceFile({ url, domain });
    folder?.release();
  };
  let ended: Promise<void> | undefined;
  return { url, port, domain, apiKey, kept, clock, faults, settings, mail, close: () => (ended ??= end()) };
}

/** Plants the seed, and says what it has first. */
async function plantSeed(
  seed: Seed,
  context: ServiceContext,
): Promise<Pick<RunningService, "apiKey" | "domain" | "kept">> {
  const { accounts } = await readSeed(seed, context.patterns);
  const kept = await plant(accounts, context);
  return { apiKey: accounts[0].apiKey, domain: accounts[0].domains[0].name, kept };
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
