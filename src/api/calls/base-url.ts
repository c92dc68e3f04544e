import { ConfigurationError } from "../../errors.js";
import { isLoopback, LOCAL_API_KEY } from "../local.js";
import type { Redact } from "./redact.js";

/** The API versions that this client supports. */
export type ApiVersion = "v4" | "v3";

/** Where requests are sent: to `origin`, with `prefix`. */
export interface ServiceAddress {
  readonly origin: string;
  /** Without a trailing slash: `/v4`, or `/mail/v4` for a base URL with a path. */
  readonly prefix: string;
}

/**
 * Parses a base URL. Trailing slashes don't matter, nor does the version's own segment, which people often copy too.
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
      hint: "Use a URL such as https://api.example.com",
    });
  const url = new URL(baseUrl);
  if (url.username !== "" || url.password !== "") {
    throw new ConfigurationError("The base URL contains a user name or a password.", {
      hint: "Pass the key as `apiKey`, never in a URL.",
    });
  }
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    throw new ConfigurationError(`The base URL "${redact(baseUrl)}" is not an https or http URL.`, {
      hint: "Use a URL such as https://api.example.com",
    });
  }
  if (url.search !== "" || url.hash !== "") {
    throw new ConfigurationError(`The base URL of ${url.host} has a query or a fragment.`, {
      hint: "Remove the ? or # and everything after it.",
    });
  }
  refuseInsecure(baseUrl, key);
  const folder = url.pathname.replace(/\/+$/, "");
  const other = version === "v4" ? "v3" : "v4";
  if (folder.endsWith(`/${other}`)) {
    throw new ConfigurationError(
      `The base URL of ${url.host} ends in /${other}, but the client's version is ${version}.`,
      {
        hint: `Remove /${other}, or pass version: "${other}".`,
      },
    );
  }
  return { origin: url.origin, prefix: folder.endsWith(`/${version}`) ? folder : `${folder}/${version}` };
}

/** The key that is sent with each request, and whether it may be sent unencrypted. */
export interface KeyOnWire {
  readonly apiKey: string;
  /** Default false. */
  readonly allowInsecure?: boolean | undefined;
}

/**
 * Refuses a URL that would send the key to another machine unencrypted. The local service's key is not a secret, so it
 * may be sent anywhere, for example to another container.
 *
 * @throws ConfigurationError that names the option which permits it.
 */
export function refuseInsecure(url: string, { apiKey, allowInsecure = false }: KeyOnWire): void {
  if (allowInsecure || apiKey === LOCAL_API_KEY || !URL.canParse(url)) return;
  const { protocol, hostname, host } = new URL(url);
  if (protocol !== "http:" || isLoopback(hostname)) return;
  throw new ConfigurationError(`http://${host} would receive the API key unencrypted.`, {
    hint: "Use https or, in a trusted network, set `allowInsecure: true`.",
  });
}
