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
  /** The server's response, if there was one. */
  readonly response?: { readonly code: number; readonly text: string; readonly command: string };
}

/** A server may write anything. */
const TEXT_MAX = 500;

export function readFailure(error: unknown, server: SmtpServer): Failure {
  const { code, message, response, responseCode, command }: Record<string, unknown> = isRecord(error) ? error : {};
  const clean = (text: unknown) => (typeof text === "string" ? printable(withoutPassword(text, server)) : "");
  return {
    code: typeof code === "string" ? code : "",
    message: clean(message),
    ...(typeof responseCode === "number" && {
      response: {
        code: responseCode,
        text: clean(typeof response === "string" ? response.replaceAll(/^\d{3}[ -]?/gm, "") : ""),
        command: typeof command === "string" ? command : "CONN",
      },
    }),
  };
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
  const { code, message, response } = failure;
  // After the message was sent, only a response to it tells what became of it. 421 may also announce that the server
  // shuts down, whatever it does with the message.
  const isAnswered = !wasSent || (code === "EMESSAGE" && response?.code !== 421);
  if (response !== undefined && isAnswered && response.code >= 400) return outcomeOfResponse(response, pauseMs);
  const cause = new Error(message);
  if (wasSent) return { outcome: "unknown", reason: reasonUnknown(code, timeoutMs), cause };
  if (code === "EABORT" && timeoutMs === undefined) return { outcome: "aborted" };
  if (code === "EENVELOPE" || code === "EMESSAGE") return rejected(553, message, { cause });
  if (code === "EAUTH") return rejected(535, message, { cause, refusesAccount: true });
  if (timeoutMs === undefined) {
    const reason = "the server could not be reached, or the connection broke before the message was sent";
    return { outcome: "not sent", reason, detail: message, cause };
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
  const hint = command.startsWith("AUTH") ? HINTS.AUTH : command === "STARTTLS" ? HINTS.STARTTLS : undefined;
  const refusesAccount = !isAboutMessage && code !== TOO_LARGE;
  return rejected(code, text, { cause, refusesAccount, ...(hint !== undefined && { hint }) });
}

function rejected(code: number, text: string, options: ConstructorParameters<typeof RejectedError>[3]): Attempt {
  return { outcome: "rejected", error: new RejectedError(code, text, {}, options) };
}

/** The response to `MAIL FROM` with a size above the server's limit. */
const TOO_LARGE = 552;

const HINTS = {
  AUTH: "Check the user name and the password.",
  STARTTLS: "The server offers no TLS. In a trusted network, set `allowInsecure: true`.",
};

function reasonUnknown(code: string, timeoutMs: number | undefined): string {
  if (timeoutMs !== undefined) return `the server did not answer within ${timeoutMs / 1000} s`;
  if (code === "EABORT") return "it was aborted after it was sent";
  return code === "ETIMEDOUT"
    ? "the server did not answer in time"
    : "the connection broke after it was sent, before the answer";
}
