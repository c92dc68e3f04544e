import { memoizeByObject } from "../../cache/memoize.js";
import type { CheckedProject, CheckedTemplate, Finding } from "../rule.js";
import { hostOf, isExampleDomain, schemeOf, isMalformed, whyPrivate, isSameSite } from "./urls.js";
import { positionOfUrl, addressesIn, isImage, type EmailUrl } from "./addresses.js";
import type { LookupFunction } from "node:net";
import type { Dispatcher } from "undici";

/** A URL in a template, and the result of requesting it. */
export interface ProbedUrl {
  readonly checked: CheckedTemplate;
  readonly address: EmailUrl;
  /** The URL that was requested. */
  readonly form: string;
  readonly probe: Probe;
}

/** Checks all URLs of the project together, if the settings allow requests. Each URL is requested once for all rules. */
export function checkProbedUrls(check: (probed: readonly ProbedUrl[]) => Iterable<Finding>) {
  return async (project: CheckedProject): Promise<Iterable<Finding>> =>
    project.settings.network ? check(await probedUrls(project)) : [];
}

/** Checks each URL, unless there is no network. Its finding is reported where the URL is written. */
export function forEachProbedUrl(check: (probed: ProbedUrl) => Omit<Finding, "at"> | undefined) {
  return checkProbedUrls(function* (probed) {
    for (const each of isOffline(probed) ? [] : probed) {
      const finding = check(each);
      const { template, document } = each.checked;
      if (finding) yield { ...finding, template: template.name, at: positionOfUrl(each.address, document) };
    }
  });
}

/** Whether every request failed as it would without a network. */
export function isOffline(probed: readonly ProbedUrl[]): boolean {
  return probed.length > 0 && probed.every(({ probe }) => probe.kind === "failed" && probe.mayBeOffline);
}

const probedUrls = memoizeByObject(({ checked, settings }: CheckedProject) => probeUrls(checked, settings.probing));

/** Requests every URL of templates, each once. */
export async function probeUrls(
  checked: readonly CheckedTemplate[],
  options: ProbeOptions | undefined,
): Promise<readonly ProbedUrl[]> {
  const wanted = checked.flatMap((each) =>
    addressesIn(each).flatMap((address) =>
      address.forms.filter(canBeRequested).map((form) => ({ checked: each, address, form })),
    ),
  );
  const images = new Set(wanted.filter(({ address }) => isImage(address)).map(({ form }) => withoutFragment(form)));
  const probes = await probeAll(
    new Map(wanted.map(({ form }) => [withoutFragment(form), images.has(withoutFragment(form))])),
    options,
  );
  return wanted.flatMap((each) => {
    const probe = probes.get(withoutFragment(each.form));
    return probe ? [{ ...each, probe }] : [];
  });
}

/** Whether a URL is absolute, public and not reported by other rules anyway. */
function canBeRequested(form: string): boolean {
  if (form.includes("{{") || !/^https?$/.test(schemeOf(form) ?? "") || isMalformed(form)) return false;
  const host = hostOf(form);
  return host !== undefined && whyPrivate(host) === undefined && !isExampleDomain(host) && !host.endsWith(".example");
}

/** The URL without its fragment, which servers never see. */
function withoutFragment(form: string): string {
  return form.replace(/#.*$/s, "");
}

/** The result of requesting a URL. */
type Probe =
  | {
      readonly kind: "answered";
      readonly status: number;
      /** The final URL, if redirects led to another site. */
      readonly movedTo?: string;
      /** In lower case, without parameters. */
      readonly contentType?: string;
      /** An image's size. If the server doesn't declare it, counting stops at a maximum. */
      readonly bytes?: number;
    }
  | {
      readonly kind: "failed";
      /** The end of a sentence: `its host does not exist`. */
      readonly reason: string;
      /** Whether this also happens without a network. */
      readonly mayBeOffline: boolean;
      /** Whether the next attempt may succeed. */
      readonly isPassing: boolean;
    };

export interface ProbeOptions {
  /** Timeout in ms for one URL, including redirects. Default 10 s. */
  readonly timeoutMs?: number;
  /** Resolves host names. Default: the system's resolver. */
  readonly lookup?: LookupFunction;
}

const TIMEOUT_MS = 10_000;
/** Maximum number of concurrent requests. */
const AT_ONCE = 8;
const MOST_REDIRECTS = 5;
/** Maximum number of bytes read of an image. */
const MOST_BYTES = 4 * 1024 * 1024;
const REDIRECTS = [301, 302, 303, 307, 308];

/** Requests URLs, each with whether it is an image's. */
async function probeAll(
  addresses: ReadonlyMap<string, boolean>,
  { timeoutMs = TIMEOUT_MS, lookup }: ProbeOptions = {},
): Promise<Map<string, Probe>> {
  const { Agent, request } = await import("undici");
  // At most two per server, so that a check doesn't look like an attack.
  const agent = new Agent({ connections: 2, connect: { timeout: timeoutMs, ...(lookup && { lookup }) } });
  const headers = { "user-agent": "lettershop (checks the links of an email)", accept: "*/*" };
  const probes = new Map<string, Probe>();
  const waiting = [...addresses];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [address, isOfImage] = next;
      const signal = AbortSignal.timeout(timeoutMs);
      const ask: Ask = (url, method) => request(url, { method, dispatcher: agent, headers, signal });
      probes.set(address, await follow(address, isOfImage, ask).catch((error: unknown) => failureOf(error, timeoutMs)));
    }
  };
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return probes;
  } finally {
    await agent.destroy();
  }
}

type Ask = (url: string, method: "HEAD" | "GET") => Promise<Dispatcher.ResponseData>;

async function follow(address: string, isOfImage: boolean, ask: Ask): Promise<Probe> {
  let at = address;
  for (let redirects = 0; ; redirects += 1) {
    let answer = await ask(at, "HEAD");
    const isVague = answer.statusCode >= 400 || (isOfImage && lengthOf(answer) === undefined);
    if (isVague && !REDIRECTS.includes(answer.statusCode)) {
      discard(answer);
      answer = await ask(at, "GET");
    }
    const location = REDIRECTS.includes(answer.statusCode) ? headerOf(answer, "location") : undefined;
    if (location === undefined) return read(address, at, answer, isOfImage);
    discard(answer);
    at = URL.canParse(location, at) ? new URL(location, at).href : "";
    const host = hostOf(at);
    if (host === undefined) return broken("it redirects to an invalid URL");
    if (redirects === MOST_REDIRECTS) return broken(`it redirects more than ${MOST_REDIRECTS} times`);
    if (whyPrivate(host) !== undefined) return broken(`it redirects to ${host}, which is not reachable from outside`);
  }
}

async function read(url: string, at: string, answer: Dispatcher.ResponseData, isOfImage: boolean): Promise<Probe> {
  const bytes = isOfImage && answer.statusCode < 400 ? (lengthOf(answer) ?? (await countBytes(answer))) : undefined;
  discard(answer);
  const contentType = headerOf(answer, "content-type")?.split(";")[0]?.trim().toLowerCase();
  const isMoved = !isSameSite(hostOf(url) ?? "", hostOf(at) ?? "");
  return {
    kind: "answered",
    status: answer.statusCode,
    ...(isMoved && { movedTo: at }),
    ...(contentType !== undefined && { contentType }),
    ...(bytes !== undefined && { bytes }),
  };
}

/** Drops the rest of a body. Errors no longer matter then. */
function discard({ body }: Dispatcher.ResponseData): void {
  body.on("error", () => undefined).destroy();
}

async function countBytes({ body }: Dispatcher.ResponseData): Promise<number> {
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) break;
  }
  return bytes;
}

function lengthOf(answer: Dispatcher.ResponseData): number | undefined {
  const length = headerOf(answer, "content-length");
  return length !== undefined && /^\d+$/.test(length) ? Number(length) : undefined;
}

function headerOf({ headers }: Dispatcher.ResponseData, name: string): string | undefined {
  return [headers[name]].flat()[0];
}

function broken(reason: string): Probe {
  return { kind: "failed", reason, mayBeOffline: false, isPassing: false };
}

const REASONS: Readonly<Record<string, string>> = {
  ENOTFOUND: "its host does not exist",
  EAI_AGAIN: "its host name could not be looked up",
  ENETUNREACH: "the network can't be reached",
  EHOSTUNREACH: "its host can't be reached",
  ECONNREFUSED: "its host refuses the connection",
  ECONNRESET: "its host closed the connection",
  UND_ERR_SOCKET: "its host closed the connection",
  CERT_HAS_EXPIRED: "its certificate has expired",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another host",
};

/** These codes also occur without a network. */
const OFFLINE = /^(?:ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|ENETDOWN|UND_ERR_CONNECT_TIMEOUT)$/;
const PASSING = /TIMEOUT|^(?:EAI_AGAIN|ECONNRESET|UND_ERR_SOCKET|ENETUNREACH|EHOSTUNREACH)$/;

/** Why a request failed. */
function failureOf(error: unknown, timeoutMs: number): Probe {
  const code = codeOf(error);
  const reason = code.includes("TIMEOUT")
    ? `it did not respond within ${timeoutMs / 1000} s`
    : (REASONS[code] ?? `the request failed (${code || String(error)})`);
  return { kind: "failed", reason, mayBeOffline: OFFLINE.test(code), isPassing: PASSING.test(code) };
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  if (error.name === "TimeoutError") return "TIMEOUT";
  if ("code" in error && typeof error.code === "string") return error.code;
  return codeOf(error instanceof AggregateError ? error.errors[0] : error.cause);
}
