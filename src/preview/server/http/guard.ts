import type { HonoRequest, MiddlewareHandler } from "hono";
import { Refusal } from "../refusal.js";
import { type Reach, isNamedHere } from "./hosts.js";
import { letIn } from "./token.js";

export interface GuardOptions extends Reach {
  readonly port: () => number;
  /** The token that opens the page. Undefined if only this machine can reach it. */
  readonly token: string | undefined;
}

/**
 * Rejects requests that do not come from the page itself, so that no other site can read templates or write fixtures,
 * neither by requests nor by a host name that it points here (DNS rebinding). If other machines can reach the preview,
 * requests also need the token: once in the URL, then in a cookie.
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
        "If this is the preview's own page, configure the proxy in front of it to forward the browser's Host header.",
      );
    if (!isOwnSite(c.req.header("sec-fetch-site")) && !isOpening(c.req))
      throw new Refusal(403, "Refused: the preview only answers its own page.");
    const opened = options.token === undefined ? undefined : letIn(c, options.token);
    return opened ?? next();
  };
}

/**
 * The hosts that the request names, as in a URL: the Host header, the request target if it is a whole URL, and the host
 * that a proxy reports.
 *
 * @throws {Refusal} One of them is not a valid host.
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
    `This preview doesn't accept requests for ${host}.`,
    `To allow this host, start the preview with \`--allowed-host ${name}\` and open the URL that it prints.`,
  );
}

/** A proxy may accept HTTPS and forward HTTP. The scheme is then the browser's, but the host must still match. */
function isOwnOrigin(origin: string | undefined, hosts: readonly string[], schemes: readonly string[]): boolean {
  if (origin === undefined) return true;
  const url = URL.parse(origin);
  if (!url || !schemes.includes(url.protocol)) return false;
  return hosts.some((host) => URL.parse(`${url.protocol}//${host}`)?.host === url.host);
}

/** Checks the browser's fetch metadata. Other clients do not send it. */
function isOwnSite(site: string | undefined): boolean {
  return site === undefined || site === "same-origin" || site === "none";
}

/** A link to the page, in a chat for example, may be followed from any site. */
function isOpening(request: HonoRequest): boolean {
  const { method, path } = request;
  return (
    method === "GET" &&
    path === "/" &&
    request.header("sec-fetch-mode") === "navigate" &&
    request.header("sec-fetch-dest") === "document"
  );
}
