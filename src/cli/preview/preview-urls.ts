import { isIP } from "node:net";
import { domainToASCII } from "node:url";
import type { PreviewUrl } from "../../preview/server/hosts.js";
import { UsageError } from "../arguments.js";
import type { Output } from "../output.js";

/** Prints the preview's URLs, and a warning if other machines can reach it. */
export function printUrls(output: Output, label: string, urls: readonly [PreviewUrl, ...PreviewUrl[]]): void {
  const [first, ...others] = urls;
  output.print(`${label}${first.url}`);
  for (const { kind, url } of others) output.print(`${`  ${kind}`.padEnd(label.length)}${url}`);
  if (!URL.parse(first.url)?.searchParams.has("token")) return;
  output.note(
    "Anyone with the URL can read and edit the project's templates, see its inbox and outbox, and send test emails.",
  );
  output.note("For a proxy or a forwarded port, add the same ?token= to its URL.");
}

/** The URL at which a local service listens for SMTP. Undefined if it does not. */
export function smtpUrl(service: string, port: number | undefined): string | undefined {
  return port === undefined ? undefined : `smtp://${new URL(service).hostname}:${port}`;
}

/**
 * Normalises a host name as browsers do; a leading dot includes all subdomains.
 *
 * @throws {UsageError} It is not a host name.
 */
export function readAllowedHost(text: string): string {
  if (isIP(text) !== 0) return text;
  const name = text.replace(/^\*?\./, "");
  const ascii = /^[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*\.?$/u.test(name) ? domainToASCII(name) : "";
  if (ascii !== "") return name === text ? ascii : `.${ascii}`;
  throw new UsageError(`--allowed-host must be a host name, not "${text}".`, {
    hint: "Remove the scheme, port and path: --allowed-host devbox.example.com, or .example.com to include subdomains.",
  });
}
