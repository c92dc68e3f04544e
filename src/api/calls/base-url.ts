import { ConfigurationError } from "../../errors.js";
import { isLoopback, LOCAL_API_KEY } from "../local.js";
import type { Redact } from "./redact.js";

/** The versions of the service's interface that this client speaks. */
export type ApiVersion = "v4" | "v3";

/** Where requests go: to `origin`, under `prefix`. */
export interface ServiceAddress {
  readonly origin: string;
  /** Without a slash at its end: `/v4`, or `/mail/v4` for a base URL that has a path. */
  readonly prefix: string;
}

/**
 * Takes a base URL apart. Slashes at its end don't matter, and neither does the version's own segment, which people
 * copy along with the address.
 *
 * @example
 * parseBaseUrl("https://api.example.com/", "v4", redact); // { origin: "https://api.example.com", prefix: "/v4" }
 *
 * @throws ConfigurationError for anything but an http or https URL without credentials, query and fragment, and for one
 * that `refuseInsecure` refuses.
 */
export function parseBaseUrl(baseUrl: string, version: ApiVersion, redact: Redact, key: KeyOnWire): ServiceAddress {
  if (!URL.canParse(baseUrl))
    throw new ConfigurationError(`The base URL "${redact(baseUrl)}" is not a URL.`, {
      hint: "Write it like https://api.example.com",
    });
  const url = new URL(baseUrl);
  if (url.username !== "" || url.password !== "") {
    throw new ConfigurationError("The base URL has a user name or a password in it.", {
      hint: "Pass the key as `apiKey`; it never belongs into an address.",
    });
  }
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    throw new ConfigurationError(`The base URL "${redact(baseUrl)}" is neither https nor http.`, {
      hint: "Write it like https://api.example.com",
    });
  }
  if (url.search !== "" || url.hash !== "") {
    throw new ConfigurationError(`The base URL of ${url.host} has a query or a fragment.`, {
      hint: "Leave out everything from the ? or # on.",
    });
  }
  refuseInsecure(baseUrl, key);
  const folder = url.pathname.replace(/\/+$/, "");
  const other = version === "v4" ? "v3" : "v4";
  if (folder.endsWith(`/${other}`)) {
    throw new ConfigurationError(`The base URL of ${url.host} ends in /${other}, and the client speaks ${version}.`, {
      hint: `Leave /${other} out, or pass version: "${other}".`,
    });
  }
  return { origin: url.origin, prefix: folder.endsWith(`/${version}`) ? folder : `${folder}/${version}` };
}

/** The key that travels with each request, and whether it may travel unencrypted. */
export interface KeyOnWire {
  readonly apiKey: string;
  /** Default false. */
  readonly allowInsecure?: boolean | undefined;
}

/**
 * Refuses a URL over which the key would reach another machine unencrypted. The local service's own key is not a secret, so it
 * may go anywhere: to another container, for example.
 *
 * @throws ConfigurationError that names the option which permits it.
 */
export function refuseInsecure(url: string, { apiKey, allowInsecure = false }: KeyOnWire): void {
  if (allowInsecure || apiKey === LOCAL_API_KEY || !URL.canParse(url)) return;
  const { protocol, hostname, host } = new URL(url);
  if (protocol !== "http:" || isLoopback(hostname)) return;
  throw new ConfigurationError(`http://${host} would receive the API key unencrypted.`, {
    hint: "Use https. In a network that you trust, set `allowInsecure: true`.",
  });
}
