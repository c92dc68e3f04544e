import { isIP } from "node:net";
import { networkInterfaces } from "node:os";

/** From where the preview can be asked. */
export interface Reach {
  /** What it listens on. */
  readonly host: string;
  /** Further names, as in a URL, under which a proxy, a tunnel or other machines reach it; `.example.com` with all below. */
  readonly allowedHosts: readonly string[];
}

const LOOPBACK = ["127.0.0.1", "localhost", "[::1]"];

/** Whether others than this machine reach it: then it needs a token. */
export function isShared({ host, allowedHosts }: Reach): boolean {
  return !isLoopback(host) || allowedHosts.length > 0;
}

/**
 * Whether the preview answers as this host of a URL. For this machine alone, its own names with its own port. Others may reach
 * it by another port, which a container publishes, and by any address: addresses can't be made to point elsewhere, as names can.
 */
export function isNamedHere(asked: string, { port, ...reach }: Reach & { readonly port: () => number }): boolean {
  const own = [urlHost(reach.host), ...LOOPBACK];
  if (!isShared(reach)) return own.some((name) => asked === new URL(`http://${name}:${port()}`).host);
  const { hostname } = new URL(`http://${asked}`);
  return isIP(unbracketed(hostname)) !== 0 || own.includes(hostname) || reach.allowedHosts.some(allows(hostname));
}

function allows(hostname: string): (allowed: string) => boolean {
  return (allowed) => {
    const name = allowed.toLowerCase().replace(/^\*/, "");
    return name.startsWith(".") ? `.${hostname}`.endsWith(name) : hostname === urlHost(name);
  };
}

/** Where to open the page: on this machine, by the network, or as an allowed host. */
export interface PreviewUrl {
  readonly kind: "local" | "network" | "allowed";
  readonly url: string;
}

/** Each URL that opens the page, the best for this machine first. Of a pattern of hosts there is none. */
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
    // What listens on loopback is reached under another name by a tunnel or a proxy, which speak https.
    .map((name) =>
      isLoopback(host) ? { ...at("allowed", name), url: `https://${urlHost(name)}/${query}` } : at("allowed", name),
    );
  if (host !== "0.0.0.0" && host !== "::") return [at(isLoopback(host) ? "local" : "network", host), ...others];
  const addresses = Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    // Link-local addresses of IPv6 need a zone, which no URL has.
    .filter(({ internal, family, scopeid }) => !internal && (family === "IPv4" || (host === "::" && scopeid === 0)))
    .map(({ address }) => at("network", address));
  return [at("local", "127.0.0.1"), ...addresses, ...others];
}

function isLoopback(host: string): boolean {
  return ["localhost", "::1"].includes(host) || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/** As in a URL. */
export function urlHost(host: string): string {
  return host.includes(":") ? `[${host.toLowerCase()}]` : host.toLowerCase();
}

function unbracketed(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, "");
}
