import { networkInterfaces } from "node:os";
import type { HonoRequest, MiddlewareHandler } from "hono";
import { Refusal } from "../refusal.js";

/** What the server listens on. */
export interface GuardOptions {
  readonly host: string;
  readonly port: () => number;
}

/**
 * Refuses what does not come from the page itself, so that no other page can read templates or write fixtures: neither by
 * asking, nor by a name that it makes point here (DNS rebinding).
 */
export function guard({ host, port }: GuardOptions): MiddlewareHandler {
  return async (c, next) => {
    const named = (c.req.header("host") ?? "").toLowerCase();
    if (!namesOf(host).some((name) => named === `${name}:${port()}`))
      throw new Refusal(421, "The preview only answers at the address it was started with.");
    const origin = c.req.header("origin");
    if (origin !== undefined && origin.toLowerCase() !== `http://${named}`)
      throw new Refusal(403, "Refused: the preview only answers its own page.");
    if (!isOwn(c.req.header("sec-fetch-site")) && !isOpening(c.req))
      throw new Refusal(403, "Refused: the preview only answers its own page.");
    await next();
  };
}

/** What the browser says of who asks; other clients say nothing. */
function isOwn(site: string | undefined): boolean {
  return site === undefined || site === "same-origin" || site === "none";
}

/** A link to the page, in a chat for example, is followed from anywhere. */
function isOpening(request: HonoRequest): boolean {
  const { method, path } = request;
  return (
    method === "GET" &&
    path === "/" &&
    request.header("sec-fetch-mode") === "navigate" &&
    request.header("sec-fetch-dest") === "document"
  );
}

const LOOPBACK = ["127.0.0.1", "localhost", "[::1]"];

/** The names under which a listener may be asked, as in a URL. */
function namesOf(host: string): readonly string[] {
  if (isLoopback(host)) return [...new Set([urlHost(host), ...LOOPBACK])];
  if (host !== "0.0.0.0" && host !== "::") return [urlHost(host)];
  // Addresses can't be made to point elsewhere, as names can.
  const own = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return [...LOOPBACK, ...own.map(({ address }) => urlHost(address))];
}

/** Whether only this machine reaches what listens there. */
export function isLoopback(host: string): boolean {
  return ["localhost", "::1"].includes(host) || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/** As in a URL. */
export function urlHost(host: string): string {
  return host.includes(":") ? `[${host.toLowerCase()}]` : host.toLowerCase();
}
