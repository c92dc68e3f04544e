import { randomUUID } from "node:crypto";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createApp } from "./app.js";
import { type ServiceClock, notifyingClock, advanceTo, runningClock } from "./clock.js";
import type { ServiceContext } from "./context.js";
import { createSettings, type Settings } from "./control/settings.js";
import { Deliveries } from "./delivery/deliveries.js";
import { Webhooks } from "./delivery/webhooks.js";
import { type DnsSource, requireDnsServers } from "./dns/check.js";
import { createFaults, type Faults } from "./control/faults.js";
import { ServiceClosedError } from "./errors.js";
import { type DataFolder, lockDataFolder, withFolderErrors } from "./folder.js";
import { listen } from "./http/listen.js";
import type { Ports } from "../process/listen.js";
import { LogSearch } from "./logs/log-search.js";
import { type CapturedMails, capturedMails } from "./mail/captured.js";
import { Filing } from "./mail/filing.js";
import { isLoopback, LOCAL_PORT, LOCAL_WEBHOOK_SECRET } from "../api/local.js";
import { requireRelay } from "./inbound/destinations.js";
import { Inbound, smtpPorts } from "./inbound/inbound.js";
import type { IncomingEmail } from "./inbound/incoming.js";
import type { Received } from "./inbound/receive.js";
import { MailReader } from "./mail/mail-reader.js";
import { DkimSigner } from "./dns/dkim.js";
import { Patterns } from "./patterns/patterns.js";
import { applySeed } from "./seed/apply.js";
import { readSeed } from "./seed/read.js";
import type { Seed } from "./seed/schema.js";
import { openStore, type Store } from "./store/store.js";
import { asError } from "../errors.js";
import { removeMailFiles } from "./mail/files.js";

const MEMORY = ":memory:";

export interface ServiceOptions {
  /** The data folder, which is created if it is missing, or `:memory:`, which is lost when the service closes. */
  readonly data: string;
  /**
   * Default: the port that this data folder last had, otherwise 4680, otherwise any free one. 0 means any free port.
   */
  readonly port?: number;
  /**
   * The port for SMTP. Default: the port that this data folder last had, otherwise 2525, otherwise any free one. 0 means
   * any free port; `false`, that emails can't be received.
   */
  readonly smtpPort?: number | false;
  /**
   * URL of the SMTP server that gets emails which are forwarded to other domains, as in `smtp://user:pass@example.com:587`.
   * Default: they are captured, and nothing leaves this machine.
   */
  readonly relay?: string;
  /** Whether SMTP credentials are accepted without TLS, for old clients. Default false. */
  readonly allowInsecureAuth?: boolean;
  /**
   * The address to listen on. Default `127.0.0.1`: only this machine, and only under its own names. Any other address
   * is open to the network: anyone who can reach it can read the captured emails.
   */
  readonly host?: string;
  /**
   * The folder of the project that the service belongs to. Previews of other projects ignore it. Default: the folder
   * that contains the data folder; none for `:memory:`.
   */
  readonly project?: string;
  /** Whether rate limits are enforced. Default true. */
  readonly limits?: boolean;
  /** Default: the machine's time. A clock that is behind the data folder's latest time is moved forward to it. */
  readonly clock?: ServiceClock;
  /** Templates roots whose `_assets` folders are served under `/assets/`. */
  readonly assets?: readonly string[];
  /**
   * Initial content of the data folder. Existing content stays unchanged. Default: a paid account with the key `local`
   * and the domain `example.test`.
   */
  readonly seed?: Seed;
  /**
   * Where DNS records of domains are looked up. Default `ready`: every domain is treated as set up, including new ones.
   */
  readonly dns?: DnsSource;
  /**
   * Whether nothing else runs in this process. The service then replaces the global `Request` and `Response` by lighter
   * ones, which lets it handle more requests. Default false.
   */
  readonly ownProcess?: boolean;
  /** Receives unexpected errors of the service, which clients see as a 500. Default: a process warning. */
  readonly onError?: (error: Error) => void;
}

export interface RunningService {
  /** The base URL, without a version: `http://127.0.0.1:4680`. */
  readonly url: string;
  readonly port: number;
  /** Undefined if the service does not listen for SMTP. */
  readonly smtpPort: number | undefined;
  /** The first domain of the seed. */
  readonly domain: string;
  readonly apiKey: string;
  /** Verifies what is forwarded to webhooks of that account, as in Standard Webhooks. */
  readonly webhookSecret: string;
  /** What in the data folder differs from the seed and was left unchanged, one sentence each. */
  readonly kept: readonly string[];
  readonly clock: ServiceClock;
  /** Faults to inject into the next calls. */
  readonly faults: Faults;
  /** Behaviour that a test can choose. */
  readonly settings: Settings;
  /** Emails that were sent to the service. */
  readonly mail: CapturedMails;
  /**
   * Receives an email as if it had come by SMTP: what it consists of, or its source in RFC 5322 format. Resolves when it
   * is accepted; it is forwarded in the background.
   *
   * @example
   * await service.receive({ from: "bob@shop.example", to: "support@example.test", subject: "Help", text: "…" });
   * await service.receive(await readFile("test/emails/outlook.eml"));
   *
   * @throws RefusedError `refused`: the response that an SMTP client would have got, and what to do. ControlError if it
   * is not an email. ServiceClosedError.
   */
  receive(email: IncomingEmail): Promise<Received>;
  /** Lets running requests finish, closes every connection and releases the data folder. */
  close(): Promise<void>;
}

/**
 * Starts the local service: the service described in `spec/api-v4.md`, on an embedded database.
 *
 * @example
 * const service = await startService({ data: ".lettershop" });
 * const client = createClient({ baseUrl: service.url, apiKey: service.apiKey });
 * await client.emails.send(service.domain, { from: "hello", to: "ada@example.com", subject: "Hi", text: "Hi" });
 * service.mail.list(); // or open `${service.url}/mail` in a browser
 * await service.close();
 *
 * @throws DataFolderHeldError if another process uses the data folder; DataFolderError if it is unusable;
 * PortUnavailableError if the port is not available; DatabaseNewerError; MissingPeerError on a Node without built-in SQLite.
 */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  if (options.dns !== undefined) requireDnsServers(options.dns);
  if (options.relay !== undefined) requireRelay(options.relay);
  const folder = options.data === MEMORY ? undefined : await lockDataFolder(options.data);
  try {
    const open = () => openAndServe(options, folder);
    return await (folder ? withFolderErrors(folder.path, open) : open());
  } catch (error) {
    folder?.release();
    throw error;
  }
}

async function openAndServe(options: ServiceOptions, folder: DataFolder | undefined): Promise<RunningService> {
  const { clock = runningClock() } = options;
  const settings = createSettings();
  const store = await openStore(folder?.databaseFile ?? MEMORY, clock, () => settings.get().logDelayMs);
  const patterns = new Patterns();
  const reader = new MailReader();
  try {
    advanceTo(clock, store.time.newest());
    return await serve({ ...options, clock, settings, patterns, reader }, store, folder);
  } catch (error) {
    await Promise.all([patterns.close(), reader.close()]);
    store.close();
    throw error;
  }
}

async function serve(
  options: ServiceOptions & Pick<ServiceContext, "clock" | "settings" | "patterns" | "reader">,
  store: Store,
  folder: DataFolder | undefined,
): Promise<RunningService> {
  const {
    settings,
    patterns,
    reader,
    seed = {},
    dns = "ready",
    host = "127.0.0.1",
    limits = true,
    assets = [],
    onError = warn,
    project = folder && path.dirname(folder.path),
  } = options;
  const mailFolder = folder?.mailFolder;
  const signer = new DkimSigner(store);
  const filing = new Filing(store, mailFolder, signer, onError);
  const mail = capturedMails(store, filing, reader, signer);
  const loopbackOnly = isLoopback(host);
  const faults = createFaults();
  const logSearch = new LogSearch(store.logFeed);
  const webhooks = new Webhooks(store, options.clock, onError);
  const deliveries = new Deliveries(store, options.clock, webhooks);
  const parts = { store, settings, deliveries, webhooks, filing, signer, patterns, reader };
  const inbound = new Inbound({ ...parts, clock: options.clock }, { relay: options.relay, limits, onError });
  let ended: Promise<void> | undefined;
  const clock = notifyingClock(options.clock, () => {
    if (ended) throw new ServiceClosedError(url);
    store.time.keep(options.clock.now());
    deliveries.catchUp();
    webhooks.wake();
    inbound.wake();
  });
  const context = { ...parts, clock, logSearch, mailFolder, dns, inbound };
  const { accounts } = await readSeed(seed, patterns);
  const kept = await applySeed(accounts, context);
  const { apiKey } = accounts[0];
  const domain = accounts[0].domains[0].name;
  const webhookSecret = store.accounts.findByKey(apiKey)?.profile.webhook_secret ?? LOCAL_WEBHOOK_SECRET;
  const id = randomUUID();
  const app = createApp({ ...context, faults, limits, assets, id, project, onError, mail, loopbackOnly });
  const ports: Ports = options.port === undefined ? await preferredPorts(folder) : [options.port];
  const listener = await listen(app, host, ports, options.ownProcess ?? false);
  const { port } = listener;
  const url = `http://${urlHost(host)}:${port}`;
  const smtp = await smtpPorts(options.smtpPort ?? (options.port === 0 ? 0 : undefined), folder);
  const { allowInsecureAuth = false } = options;
  const smtpPort =
    smtp &&
    (await inbound.listen({ host, ports: smtp, folder, allowInsecureAuth }).catch(async (error: unknown) => {
      await listener.close();
      throw error;
    }));
  const address = { url, domain, ...(smtpPort !== undefined && { smtpPort }) };
  await folder?.writeServiceFile({ ...address, pid: process.pid, id });

  const stopping = new AbortController();
  const keeping = keepLog(context, onError, stopping.signal);
  const looking = setInterval(() => {
    try {
      deliveries.catchUp();
      webhooks.wake();
      inbound.wake();
    } catch (error) {
      onError(asError(error));
    }
  }, LOOK_EVERY_MS);
  looking.unref();
  filing.wake();
  inbound.wake();

  const end = async () => {
    filing.stopWaiting();
    await listener.close();
    clearInterval(looking);
    await inbound.close();
    await webhooks.stop();
    await filing.stop();
    stopping.abort();
    await keeping;
    await Promise.all([patterns.close(), reader.close()]);
    store.time.keep(clock.now());
    store.close();
    await folder?.writeServiceFile(address);
    folder?.release();
  };
  const receive = async (email: IncomingEmail) => {
    if (ended) throw new ServiceClosedError(url);
    return await inbound.receive(email);
  };
  return {
    url,
    port,
    smtpPort,
    domain,
    apiKey,
    webhookSecret,
    kept,
    clock,
    faults,
    settings,
    mail,
    receive,
    close: () => (ended ??= end()),
  };
}

async function preferredPorts(folder: DataFolder | undefined): Promise<Ports> {
  const last = await folder?.readServiceFile();
  const lastPort = Number(last && URL.parse(last.url)?.port);
  return lastPort ? [lastPort, LOCAL_PORT, 0] : [LOCAL_PORT, 0];
}

/** The host as in a URL. An address that stands for all addresses is reached through loopback. */
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

/** Interval in ms, by the machine's clock, at which due events are processed even if no request arrives. */
const LOOK_EVERY_MS = 250;

/** Maximum number of entries that are deleted before other work gets its turn. */
const STEP = 200;
/** Pause in ms, by the machine's clock. After it, a service clock that was advanced is noticed. */
const PAUSE_MS = 1_000;

/** Deletes expired entries step by step, and indexes new entries before someone searches. No response depends on it. */
async function keepLog(
  { store, logSearch, mailFolder }: Pick<ServiceContext, "store" | "logSearch" | "mailFolder">,
  onError: (error: Error) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    let isBusy = false;
    try {
      const deleted = store.transaction(() => store.logs.deleteExpired(STEP));
      logSearch.forgetExpired(deleted.length);
      if (mailFolder !== undefined) await Promise.all(deleted.map((id) => removeMailFiles(mailFolder, id)));
      await logSearch.catchUp();
      isBusy = deleted.length === STEP;
    } catch (error) {
      onError(asError(error));
    }
    await sleep(isBusy ? 0 : PAUSE_MS, undefined, { signal, ref: false }).catch(() => undefined);
  }
}
