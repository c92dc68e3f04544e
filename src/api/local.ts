/*
 * What client and service both know of the local service: its account, so that no setup is needed, and how its log
 * words what is forwarded. Not secrets: the local service listens on loopback and accepts only these.
 */

export const LOCAL_DOMAIN = "example.test";
export const LOCAL_API_KEY = "local";
/** Signs what is forwarded to webhooks. */
export const LOCAL_WEBHOOK_SECRET = "whsec_bGV0dGVyc2hvcCBsb2NhbCBzZXJ2aWNl";
/** The preferred port; if it is in use, a free one is chosen. */
export const LOCAL_PORT = 4680;
/** The preferred port for SMTP. */
export const LOCAL_SMTP_PORT = 2525;
/** The SMTP credential of `templates service` and `templates dev`: the user name is followed by `@` and the domain. */
export const LOCAL_SMTP_USER = "app";
export const LOCAL_SMTP_PASSWORD = "local";

/** Whether only this machine can reach a host name or address. */
export function isLoopback(host: string): boolean {
  return (
    host === "localhost" ||
    host.endsWith(".localhost") ||
    host === "::1" ||
    host === "[::1]" ||
    /^127(?:\.\d{1,3}){3}$/.test(host)
  );
}

/** How an event of the log words that a received email will be forwarded. `by` is what matched: `alias "sales"`. */
export function queuedMessage(by: string, destinations: number): string {
  return `2.0.0 Queued by ${by} for ${destinations} ${destinations === 1 ? "destination" : "destinations"}`;
}

/** Parses what `queuedMessage` wrote. Undefined for other services' messages. */
export function readQueuedMessage(message: string): { readonly by: string; readonly destinations: number } | undefined {
  const [, by, count] = /^2\.0\.0 Queued by (.+) for (\d+) destinations?$/s.exec(message) ?? [];
  return by === undefined ? undefined : { by, destinations: Number(count) };
}

/** How an event of an email with several destinations names its own: an address, or a webhook's host. */
export function toDestination(message: string, destination: string): string {
  return `${message} (to ${destination})`;
}

/** Parses what `toDestination` wrote. */
export function readDestination(message: string): string | undefined {
  return /\(to ([^\s()]+)\)$/.exec(message)?.[1];
}
