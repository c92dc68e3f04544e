import { LOCAL_SMTP_PASSWORD } from "../api/local.js";
import type { SmtpServer } from "../project/smtp-server.js";
import type { Attempt } from "../send/delivery/transport.js";
import { RejectedError } from "../send/errors.js";
import { isRecord } from "../values.js";
import { SmtpResponseError } from "./response-error.js";

/** What nodemailer reports of a failed try, without secrets. */
export interface Failure {
  /** Nodemailer's: `ECONNECTION`, `EAUTH`, `EENVELOPE`, `EMESSAGE` and so on. */
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
  /** The server's response, if there was one. */
  readonly response?: { readonly code: number; readonly text: string; readonly command: string };
}

/** A server may write anything. */
const TEXT_MAX = 500;

export function readFailure(error: unknown, server: SmtpServer): Failure {
  const { code, originalCode, timeoutType, message, response, responseCode, command }: Record<string, unknown> =
    isRecord(error) ? error : {};
  const clean = (text: unknown) => (typeof text === "string" ? printable(withoutPassword(text, server)) : "");
  return {
    code: typeof code === "string" ? code : "",
    message: clean(message),
    hint: hintOf(String(timeoutType ?? originalCode)),
    ...(typeof responseCode === "number" && {
      response: {
        code: responseCode,
        text: clean(typeof response === "string" ? response.replaceAll(/^\d{3}[ -]?/gm, "") : ""),
        command: typeof command === "string" ? command : "CONN",
      },
    }),
  };
}

/** @param cause Nodemailer's type of a timeout, or Node's code. */
function hintOf(cause: string): string | undefined {
  if (cause === "GREETING_TIMEOUT") return "The server may expect TLS from the start, which is only used on port 465.";
  if (/SELF_SIGNED|^UNABLE_TO_/.test(cause))
    return "If you trust the certificate, pass it to smtp() as `tls: { ca }`, or set NODE_EXTRA_CA_CERTS to its file.";
  if (cause !== "ERR_TLS_CERT_ALTNAME_INVALID") return undefined;
  return "If you trust the name in the certificate, pass it to smtp() as `tls: { servername }`.";
}

function printable(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\u2028\u2029\s]+/gu, " ")
    .trim()
    .slice(0, TEXT_MAX);
}

/** A server or a library may quote what was sent to log in. */
function withoutPassword(text: string, { user = "", password }: SmtpServer): string {
  if (password === undefined || password === LOCAL_SMTP_PASSWORD) return text;
  const login = [password, `\0${user}\0${password}`].map((secret) => Buffer.from(secret).toString("base64"));
  return [...login, password].reduce((clean, secret) => clean.replaceAll(secret, "[password]"), text);
}

interface TryFacts {
  /** Whether the end of the message may have reached the server. */
  readonly wasSent: boolean;
  /** Set if the try took longer than this. */
  readonly timeoutMs: number | undefined;
  /** How long to wait if the server accepts nothing for now. */
  readonly pauseMs: number;
}

export function outcomeOf(failure: Failure, { wasSent, timeoutMs, pauseMs }: TryFacts): Attempt {
  const { code, message, hint, response } = failure;
  // After the message was sent, only a response to it tells what became of it. 421 may also announce that the server
  // shuts down, whatever it does with the message.
  const isAnswered = !wasSent || (code === "EMESSAGE" && response?.code !== 421);
  if (response !== undefined && isAnswered && response.code >= 400) return outcomeOfResponse(response, pauseMs);
  const cause = new Error(message);
  if (wasSent) return { outcome: "unknown", reason: reasonUnknown(code, timeoutMs), cause };
  if (code === "EABORT" && timeoutMs === undefined) return { outcome: "aborted" };
  if (code === "EMESSAGE") return rejected(TOO_LARGE, message, { cause });
  if (code === "EENVELOPE") return rejected(553, message, { cause });
  if (code === "EAUTH") return rejected(535, message, { cause, refusesAccount: true });
  if (timeoutMs === undefined) {
    const reason = "the server could not be reached, or the connection broke before the message was sent";
    return { outcome: "not sent", reason, detail: message, hint, cause };
  }
  const reason = `the server did not take the message within ${timeoutMs / 1000} s`;
  return { outcome: "not sent", reason, detail: reason, cause };
}

function outcomeOfResponse({ code, text, command }: Required<Failure>["response"], pauseMs: number): Attempt {
  const cause = new SmtpResponseError(code, text, command);
  const reason = cause.message;
  const isAboutMessage = command === "RCPT TO" || command === "DATA";
  if (code < 500)
    return isAboutMessage
      ? { outcome: "deferred", reason, cause }
      : { outcome: "held", waitMs: pauseMs, reason, cause };
  const hint = command.startsWith("AUTH") ? LOGIN_HINT : command === "STARTTLS" ? TLS_HINT : undefined;
  const refusesAccount = !isAboutMessage && code !== TOO_LARGE;
  return rejected(code, text, { cause, refusesAccount, ...(hint !== undefined && { hint }) });
}

function rejected(code: number, text: string, options: ConstructorParameters<typeof RejectedError>[3]): Attempt {
  return { outcome: "rejected", error: new RejectedError(code, text, {}, options) };
}

/** The message is larger than the server's limit (RFC 1870). */
const TOO_LARGE = 552;
const LOGIN_HINT = "Check the user name and the password.";
const TLS_HINT = "The server offers no TLS. In a trusted network, set `allowInsecure: true`.";

function reasonUnknown(code: string, timeoutMs: number | undefined): string {
  if (timeoutMs !== undefined) return `the server did not answer within ${timeoutMs / 1000} s`;
  if (code === "EABORT") return "it was aborted after it was sent";
  return code === "ETIMEDOUT"
    ? "the server did not answer in time"
    : "the connection broke after it was sent, before the answer";
}
