/*
 * The local service's account, known to client and service, so that no setup is needed. Not secrets: the local service
 * listens on loopback and accepts only these.
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
