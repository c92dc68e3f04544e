import { ConfigurationError } from "../../errors.js";
import { isLoopback, LOCAL_API_KEY } from "../local.js";
import { inspect } from "node:util";

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

/** Removes the key from a string that came from elsewhere. */
export type Redact = (text: string) => string;

/** Shorter than any key that is replaced, so that it cannot contain one. */
const REPLACEMENT = "[key]";
/** Shorter keys are not secret, such as the local service's, and may be ordinary words. */
const SHORTEST_KEY = 8;

/** The value of the Authorization header (part 5). */
export function basicAuthorization(apiKey: string): string {
  return `Basic ${Buffer.from(`api:${apiKey}`).toString("base64")}`;
}

/**
 * Returns a function that replaces the key wherever a server may have quoted it: verbatim, in the header's form, and
 * each of them as encoded in JSON, URLs, HTML and base64.
 */
export function redactor(apiKey: string): Redact {
  const authorization = Buffer.from(`api:${apiKey}`);
  const secrets = [authorization.toString("base64"), authorization.toString("base64url")].flatMap(inAddresses);
  if (apiKey.length >= SHORTEST_KEY) {
    const bytes = Buffer.from(apiKey);
    secrets.push(apiKey, JSON.stringify(apiKey).slice(1, -1), inPages(apiKey), ...inAddresses(bytes.toString()));
    secrets.push(...[bytes.toString("base64"), bytes.toString("base64url")].flatMap(inAddresses));
  }
  const longestFirst = [...new Set(secrets)].sort((a, b) => b.length - a.length);
  const anySecret = new RegExp(longestFirst.map(literally).join("|"), "g");
  return (text) => text.replace(anySecret, REPLACEMENT);
}

/** The same, including passwords in a request; also short ones, because they are not part of paths or other texts. */
export function redactorWith(redact: Redact, passwords: readonly string[]): Redact {
  const forms = passwords.filter(Boolean).flatMap((password) => [password, JSON.stringify(password).slice(1, -1)]);
  return (text) => forms.reduce((clean, form) => clean.replaceAll(form, "[password]"), redact(text));
}

/** A string verbatim and URL-encoded, with upper-case and lower-case escapes. */
function inAddresses(text: string): string[] {
  const encoded = encodeURIComponent(text);
  return [text, encoded, encoded.replace(/%../g, (escape) => escape.toLowerCase())];
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function inPages(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

/** The error itself, or a copy of its message if any part of it quotes the key: a parser's error contains its input. */
export function redactCause(cause: unknown, redact: Redact): unknown {
  const inspected = inspect(cause, { depth: null });
  if (redact(inspected) === inspected) return cause;
  return new Error(redact(cause instanceof Error ? cause.message : String(cause)));
}
