import { randomUUID } from "node:crypto";
import path from "node:path";
import { isLoopback, LOCAL_PORT, LOCAL_SMTP_PORT, LOCAL_WEBHOOK_SECRET } from "../api/local.js";
import type { Ports } from "../process/listen.js";
import { createApp } from "./app.js";
import { runInBackground } from "./background.js";
import { type ServiceClock, runningClock } from "./clock.js";
import { createFaults, type Faults } from "./control/faults.js";
import type { Settings } from "./control/settings.js";
import { type DnsSource, requireDnsServers } from "./dns/check.js";
import { ServiceClosedError } from "./errors.js";
import { type DataFolder, lockDataFolder, type ServiceFile, withFolderErrors } from "./folder.js";
import { listen } from "./http/listen.js";
import { requireRelay } from "./inbound/relay.js";
import type { IncomingEmail } from "./inbound/incoming.js";
import type { Received } from "./inbound/envelope.js";
import { type CapturedMails, capturedMails } from "./mail/captured.js";
import { openParts, type ServiceParts } from "./parts.js";
import { applySeed } from "./seed/apply.js";
import { readSeed } from "./seed/read.js";
import type { Seed } from "./seed/schema.js";

export interface ServiceOptions {
  /** The data folder, which is created if it is missing, or `:memory:`, which is lost when the service closes. */
  readonly data: string;
  /**
   * Default: the port that this data folder last had, otherwise 4680, otherwise any free one. 0 means any free port.
   */
  readonly port?: number;
  /**
   * The port for SMTP. Default: 0 if `port` is 0, otherwise the port that this data folder last had, otherwise 2525,
   * otherwise any free one. 0 means any free port; `false`, that the service does not listen for SMTP.
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
  /** Emails that were sent to the service, and those that it forwarded. */
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
  const folder = options.data === ":memory:" ? undefined : await lockDataFolder(options.data);
  try {
    const open = () => openAndServe(options, folder);
    return await (folder ? withFolderErrors(folder.path, open) : open());
  } catch (error) {
    folder?.release();
    throw error;
  }
}

async function openAndServe(options: ServiceOptions, folder: DataFolder | undefined): Promise<RunningService> {
  const { clock = runningClock(), relay, limits = true, dns = "ready", onError = warn } = options;
  const parts = await openParts({ folder, clock, relay, limits, dns, onError });
  try {
    return await serve(parts, { ...options, limits, onError }, folder);
  } catch (error) {
    await parts.close();
    throw error;
  }
}

async function serve(
  parts: ServiceParts,
  options: ServiceOptions & Required<Pick<ServiceOptions, "limits" | "onError">>,
  folder: DataFolder | undefined,
): Promise<RunningService> {
  const { store, clock, settings, patterns, filing, inbound } = parts;
  const { seed = {}, host = "127.0.0.1", limits, assets = [], onError, allowInsecureAuth = false } = options;
  const { project = folder && path.dirname(folder.path), ownProcess = false } = options;
  const { accounts } = await readSeed(seed, patterns);
  const kept = await applySeed(accounts, parts);
  const [{ apiKey, domains }] = accounts;

  const faults = createFaults();
  const mail = capturedMails(parts);
  const id = randomUUID();
  const app = createApp({
    ...parts,
    faults,
    limits,
    assets,
    id,
    project,
    onError,
    mail,
    loopbackOnly: isLoopback(host),
  });
  const last = await folder?.readServiceFile();
  const ports = portsToTry(options, last);
  // First, because HTTP says where SMTP listens.
  const smtpPort = ports.smtp && (await inbound.listen({ host, ports: ports.smtp, folder, allowInsecureAuth }));
  const listener = await listen(app, host, ports.http, ownProcess);
  const { port } = listener;
  const url = `http://${urlHost(host)}:${port}`;
  const address = { url, domain: domains[0].name, ...(smtpPort !== undefined && { smtpPort }) };
  await folder?.writeServiceFile({ ...address, pid: process.pid, id }).catch(async (error: unknown) => {
    await listener.close();
    throw error;
  });
  const background = runInBackground(parts, onError);
  filing.wake();

  let closed: Promise<void> | undefined;
  const refuseIfClosed = () => {
    if (closed) throw new ServiceClosedError(url);
  };
  const close = async () => {
    try {
      filing.stopWaiting();
      await listener.close();
      await background.stop();
      await parts.close();
      await folder?.writeServiceFile({ smtpPort: last?.smtpPort, ...address });
    } finally {
      folder?.release();
    }
  };
  return {
    url,
    port,
    smtpPort,
    domain: address.domain,
    apiKey,
    webhookSecret: store.accounts.findByKey(apiKey)?.profile.webhook_secret ?? LOCAL_WEBHOOK_SECRET,
    kept,
    clock: {
      now: () => clock.now(),
      advance(milliseconds) {
        refuseIfClosed();
        clock.advance(milliseconds);
      },
    },
    faults,
    settings,
    mail,
    async receive(email) {
      refuseIfClosed();
      return await inbound.receive(email);
    },
    close: () => (closed ??= close()),
  };
}

/** The ports to try, in order. Without one for SMTP, the service does not listen for it. */
function portsToTry(
  { port, smtpPort = port === 0 ? 0 : undefined }: ServiceOptions,
  last: ServiceFile | undefined,
): { readonly http: Ports; readonly smtp: Ports | undefined } {
  const lastPort = Number(last && URL.parse(last.url)?.port);
  const preferred = (given: number | undefined, previous: number | undefined, usual: number): Ports => {
    if (given !== undefined) return [given];
    return previous ? [previous, usual, 0] : [usual, 0];
  };
  return {
    http: preferred(port, lastPort, LOCAL_PORT),
    smtp: smtpPort === false ? undefined : preferred(smtpPort, last?.smtpPort, LOCAL_SMTP_PORT),
  };
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
