import type { HonoRequest, MiddlewareHandler } from "hono";
import { Refusal } from "../refusal.js";
import { type Reach, isNamedHere } from "./hosts.js";
import { letIn } from "./token.js";

export interface GuardOptions extends Reach {
  readonly port: () => number;
  /** Opens the page; undefined where only this machine reaches it. */
  readonly token: string | undefined;
}

/**
 * Refuses what does not come from the page itself, so that no other page can read templates or write fixtures: neither by
 * asking, nor by a name that it makes point here (DNS rebinding). Where other machines reach the preview, it also wants the
 * token: once in the URL, then in a cookie.
 */
export function guard(options: GuardOptions): MiddlewareHandler {
  return async (c, next) => {
    const hosts = hostsOf(c.req);
    const stranger = hosts.find((host) => !isNamedHere(host, options));
    if (stranger !== undefined) throw refusedHost(stranger);
    if (!isOwnOrigin(c.req.header("origin"), hosts, options.token === undefined ? ["http:"] : ["http:", "https:"]))
      throw new Refusal(
        403,
        "Refused: the preview only answers its own page.",
        "If this is its own page, the proxy in front of the preview has to pass on the Host header that the browser sent.",
      );
    if (!isOwnSite(c.req.header("sec-fetch-site")) && !isOpening(c.req))
      throw new Refusal(403, "Refused: the preview only answers its own page.");
    const opened = options.token === undefined ? undefined : letIn(c, options.token);
    return opened ?? next();
  };
}

/**
 * As which the preview was asked, as in a URL: by the Host header, by the request target where that is a whole URL, and by
 * what a proxy says that the browser asked for.
 *
 * @throws {Refusal} One of them is not a host.
 */
function hostsOf(request: HonoRequest): readonly string[] {
  const [forwarded] = (request.header("x-forwarded-host") ?? "").split(",");
  return [request.header("host"), URL.parse(request.url)?.host, forwarded?.trim() || undefined]
    .filter((host) => host !== undefined)
    .map((host) => {
      const url = /^[^\s/\\?#@]+$/.test(host) ? URL.parse(`http://${host}`) : null;
      if (!url) throw new Refusal(400, "The request's host is not valid.");
      return url.host;
    });
}

function refusedHost(host: string): Refusal {
  const { hostname } = new URL(`http://${host}`);
  const name = hostname.replace(/^\[|\]$/g, "");
  return new Refusal(
    421,
    `This preview does not answer as ${host}.`,
    `To open it there, start it with \`--allowed-host ${name}\`, and open the URL that it prints.`,
  );
}

/** A proxy may take https and pass on http: the scheme is then the browser's, and the host still has to be the same. */
function isOwnOrigin(origin: string | undefined, hosts: readonly string[], schemes: readonly string[]): boolean {
  if (origin === undefined) return true;
  const url = URL.parse(origin);
  if (!url || !schemes.includes(url.protocol)) return false;
  return hosts.some((host) => URL.parse(`${url.protocol}//${host}`)?.host === url.host);
}

/** What the browser says of who asks; other clients say nothing. */
function isOwnSite(site: string | undefined): boolean {
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
