/*
 * The local service's account, known to both sides, so that nothing has to be set up. Not secrets: the local service
 * listens on loopback and accepts this key only.
 */

export const LOCAL_DOMAIN = "example.test";
export const LOCAL_API_KEY = "local";
/** Whether only this machine is reached under this name or address, as a URL or a listener has it. */
export function isLoopback(host: string): boolean {
  return (
    host === "localhost" ||
    host.endsWith(".localhost") ||
    host === "::1" ||
    host === "[::1]" ||
    /^127(?:\.\d{1,3}){3}$/.test(host)
  );
}

/** The preferred port; a free one is taken where this one is in use. */
export const LOCAL_PORT = 4680;
