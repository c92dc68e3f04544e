import type { Probe } from "./probe.js";

const REASONS: Readonly<Record<string, string>> = {
  ENOTFOUND: "its host does not exist",
  EAI_AGAIN: "the name of its host could not be looked up",
  ENETUNREACH: "the network can't be reached",
  EHOSTUNREACH: "its host can't be reached",
  ECONNREFUSED: "its host refuses the connection",
  ECONNRESET: "its host ends the connection",
  UND_ERR_SOCKET: "its host ends the connection",
  CERT_HAS_EXPIRED: "its certificate has expired",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another host",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is signed by nobody who is trusted",
  SELF_SIGNED_CERT_IN_CHAIN: "its certificate is signed by nobody who is trusted",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "its certificate is not complete",
};

/** What also happens where there is no network at all. */
const OFFLINE: ReadonlySet<string> = new Set(["ENOTFOUND", "EAI_AGAIN", "ENETUNREACH", "EHOSTUNREACH", "ENETDOWN"]);
const PASSING: ReadonlySet<string> = new Set([
  "EAI_AGAIN",
  "ECONNRESET",
  "UND_ERR_SOCKET",
  "ENETUNREACH",
  "EHOSTUNREACH",
]);

/** Why an address could not be asked for. */
export function failureOf(error: unknown, timeoutMs: number): Probe {
  const code = codeOf(error);
  if (isTimeout(error, code)) {
    const reason = `it does not answer within ${timeoutMs / 1000} s`;
    return { kind: "failed", reason, mayBeOffline: code === "UND_ERR_CONNECT_TIMEOUT", isPassing: true };
  }
  const reason = REASONS[code] ?? `it can't be opened (${code || messageOf(error)})`;
  return { kind: "failed", reason, mayBeOffline: OFFLINE.has(code), isPassing: PASSING.has(code) };
}

function isTimeout(error: unknown, code: string): boolean {
  return /TIMEOUT|^ETIMEDOUT$/.test(code) || (error instanceof Error && error.name === "TimeoutError");
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  if ("code" in error && typeof error.code === "string") return error.code;
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  return codeOf(error.cause);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
