import type { LookupFunction } from "node:net";
import type { Dispatcher } from "undici";
import { hostOf, isSameSite } from "../rules/links/address-parts.js";
import { whyPrivate } from "../rules/links/private-hosts.js";
import { failureOf } from "./failure.js";

/** What became of asking for an address. */
export type Probe =
  | {
      readonly kind: "answered";
      readonly status: number;
      /** Where redirects led to another site. */
      readonly movedTo?: string;
      /** In lower case, without parameters. */
      readonly contentType?: string;
      /** Of an image: as far as it was read where the server does not say. */
      readonly bytes?: number;
    }
  | {
      readonly kind: "failed";
      /** Ends a sentence: `its host does not exist`. */
      readonly reason: string;
      /** Whether that is just what happens without a network. */
      readonly mayBeOffline: boolean;
      /** Whether it may be otherwise the next time. */
      readonly isPassing: boolean;
    };

export interface ProbeOptions {
  /** Milliseconds that one address may take, redirects included. Default: 10,000. */
  readonly timeoutMs?: number;
  /** Finds the addresses of hosts. Default: the system's. */
  readonly lookup?: LookupFunction;
}

const TIMEOUT_MS = 10_000;
const MOST_REDIRECTS = 5;
/** More of an image is not read. */
const MOST_BYTES = 4 * 1024 * 1024;
const REDIRECTS = [301, 302, 303, 307, 308];

/** Asks for addresses over connections that it keeps, and that `close` ends. */
export interface Prober {
  readonly probe: (address: string, isImage: boolean) => Promise<Probe>;
  readonly close: () => Promise<void>;
}

/**
 * @example
 * const prober = await createProber();
 * await prober.probe("https://shop.example/logo.png", true);
 * // { kind: "answered", status: 200, contentType: "image/png", bytes: 8120 }
 */
export async function createProber({ timeoutMs = TIMEOUT_MS, lookup }: ProbeOptions = {}): Promise<Prober> {
  const { Agent, request } = await import("undici");
  // Two at a time for one server: nobody should take a check for an attack.
  const agent = new Agent({ connections: 2, connect: { timeout: timeoutMs, ...(lookup && { lookup }) } });

  async function ask(address: string, method: "HEAD" | "GET", signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    const headers = { "user-agent": "lettershop (checks the links of an email)", accept: "*/*" };
    return request(address, { method, dispatcher: agent, headers, signal });
  }

  async function follow(address: string, isImage: boolean, signal: AbortSignal): Promise<Probe> {
    let at = address;
    for (let redirects = 0; ; redirects += 1) {
      let answer = await ask(at, "HEAD", signal);
      const isVague = answer.statusCode >= 400 || (isImage && lengthOf(answer) === undefined);
      if (isVague && !REDIRECTS.includes(answer.statusCode)) {
        discard(answer);
        answer = await ask(at, "GET", signal);
      }
      const location = REDIRECTS.includes(answer.statusCode) ? headerOf(answer, "location") : undefined;
      if (location === undefined) return read(address, at, answer, isImage);
      discard(answer);
      const next = URL.canParse(location, at) ? new URL(location, at).href : undefined;
      const host = next === undefined ? undefined : hostOf(next);
      if (next === undefined || host === undefined) return broken("it redirects to what is no address");
      if (redirects === MOST_REDIRECTS) return broken(`it redirects more than ${MOST_REDIRECTS} times`);
      if (whyPrivate(host) !== undefined) return broken(`it redirects to ${host}, which nobody outside can reach`);
      at = next;
    }
  }

  return {
    async probe(address, isImage) {
      try {
        return await follow(address, isImage, AbortSignal.timeout(timeoutMs));
      } catch (error) {
        return failureOf(error, timeoutMs);
      }
    },
    close: () => agent.destroy(),
  };
}

async function read(asked: string, at: string, answer: Dispatcher.ResponseData, isImage: boolean): Promise<Probe> {
  const declared = lengthOf(answer);
  const bytes = isImage && answer.statusCode < 400 ? (declared ?? (await countBytes(answer))) : undefined;
  discard(answer);
  const contentType = headerOf(answer, "content-type")?.split(";")[0]?.trim().toLowerCase();
  const isMoved = !isSameSite(hostOf(asked) ?? "", hostOf(at) ?? "");
  return {
    kind: "answered",
    status: answer.statusCode,
    ...(isMoved && { movedTo: at }),
    ...(contentType !== undefined && { contentType }),
    ...(bytes !== undefined && { bytes }),
  };
}

/** Nobody reads on; that the rest never comes is no failure. */
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
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

function broken(reason: string): Probe {
  return { kind: "failed", reason, mayBeOffline: false, isPassing: false };
}
