import { isIP } from "node:net";
import { networkInterfaces } from "node:os";

/** From where the preview can be reached. */
export interface Reach {
  /** The address it listens on. */
  readonly host: string;
  /**
   * Further host names under which a proxy, a tunnel or other machines reach it. `.example.com` includes all
   * subdomains.
   */
  readonly allowedHosts: readonly string[];
}

const LOOPBACK = ["127.0.0.1", "localhost", "[::1]"];

/** Whether other machines can reach it, so that it needs a token. */
export function isShared({ host, allowedHosts }: Reach): boolean {
  return !isLoopback(host) || allowedHosts.length > 0;
}

/**
 * Whether the preview answers requests for this host. If only this machine can reach it: its own names with its own
 * port. Otherwise any port, because a container may publish another one, and any IP address: unlike names, addresses
 * can't be made to point elsewhere.
 */
export function isNamedHere(requested: string, { port, ...reach }: Reach & { readonly port: () => number }): boolean {
  const own = [urlHost(reach.host), ...LOOPBACK];
  if (!isShared(reach)) return own.some((name) => requested === new URL(`http://${name}:${port()}`).host);
  const { hostname } = new URL(`http://${requested}`);
  return isIP(unbracketed(hostname)) !== 0 || own.includes(hostname) || reach.allowedHosts.some(allows(hostname));
}

function allows(hostname: string): (allowed: string) => boolean {
  return (allowed) => {
    const name = allowed.toLowerCase().replace(/^\*/, "");
    return name.startsWith(".") ? `.${hostname}`.endsWith(name) : hostname === urlHost(name);
  };
}

/** A URL that opens the page: from this machine, over the network, or by an allowed host. */
export interface PreviewUrl {
  readonly kind: "local" | "network" | "allowed";
  readonly url: string;
}

/** All URLs that open the page, the best for this machine first. Host patterns have none. */
export function previewUrls(
  { host, allowedHosts }: Reach,
  port: number,
  token: string | undefined,
): readonly [PreviewUrl, ...PreviewUrl[]] {
  const query = token === undefined ? "" : `?token=${token}`;
  const at = (kind: PreviewUrl["kind"], name: string): PreviewUrl => ({
    kind,
    url: `http://${urlHost(name)}:${port}/${query}`,
  });
  const others = allowedHosts
    .filter((name) => !/^\*?\./.test(name))
    // A preview on loopback is reached under another name by a tunnel or a proxy, which use HTTPS.
    .map((name) =>
      isLoopback(host) ? { ...at("allowed", name), url: `https://${urlHost(name)}/${query}` } : at("allowed", name),
    );
  if (host !== "0.0.0.0" && host !== "::") return [at(isLoopback(host) ? "local" : "network", host), ...others];
  const addresses = Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    // Link-local IPv6 addresses need a zone, which URLs cannot contain.
    .filter(({ internal, family, scopeid }) => !internal && (family === "IPv4" || (host === "::" && scopeid === 0)))
    .map(({ address }) => at("network", address));
  return [at("local", "127.0.0.1"), ...addresses, ...others];
}

function isLoopback(host: string): boolean {
  return ["localhost", "::1"].includes(host) || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/** A host as in a URL. */
export function urlHost(host: string): string {
  return host.includes(":") ? `[${host.toLowerCase()}]` : host.toLowerCase();
}

function unbracketed(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, "");
}
