import type { SmtpTls } from "../project/smtp-server.js";
import type { MailTransport } from "../send/delivery/transport.js";
import { checkNames } from "../send/check-options.js";
import { resolveServer } from "./server.js";

export type { SmtpTls } from "../project/smtp-server.js";
export type { MailTransport } from "../send/delivery/transport.js";
export { SmtpResponseError } from "./response-error.js";

/** The server that a mailer sends through. Without `host`, it comes from variables, and only `tls` may be set. */
export interface SmtpOptions {
  /** A host name or IP address. If it is set, all variables are ignored. */
  readonly host?: string | undefined;
  /** Default 587. Port 465 uses TLS from the start, every other port STARTTLS. */
  readonly port?: number | undefined;
  /** For the described service: an SMTP credential, followed by `@` and its domain. */
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  readonly tls?: SmtpTls | undefined;
}

/**
 * Makes a mailer send by SMTP instead of through the service's API. Without options, the server comes from the
 * variables `LETTERSHOP_SMTP_HOST`, `LETTERSHOP_SMTP_PORT`, `LETTERSHOP_SMTP_USER` and `LETTERSHOP_SMTP_PASSWORD`;
 * during development, without these, the local service is used.
 *
 * @example
 * import { createMailer } from "lettershop/send";
 * import { smtp } from "lettershop/smtp";
 * import { templates } from "./templates.gen.js";
 *
 * const mailer = createMailer({
 *   templates,
 *   transport: smtp({ host: "smtp.example.com", user: "app@example.com", password }),
 *   from: "receipts",
 * });
 *
 * @throws {ConfigurationError} An option is unknown. `createMailer` checks their values.
 */
export function smtp(options: SmtpOptions = {}): MailTransport {
  checkNames("smtp", options, OPTIONS, { example: "{ host, port, user, password }", elsewhere: ELSEWHERE });
  if (options.tls !== undefined) checkNames("smtp", options.tls, TLS, { path: "tls.", elsewhere: ELSEWHERE });
  const settings = { ...options };
  return {
    resolve: (surroundings) => resolveServer(settings, surroundings),
    // Loaded with the first message.
    open: async (opening) => (await import("./transport.js")).openSmtp(opening),
  };
}

const OPTIONS: Readonly<Record<keyof SmtpOptions, true>> = {
  host: true,
  port: true,
  user: true,
  password: true,
  tls: true,
};

const TLS: Readonly<Record<keyof SmtpTls, true>> = { ca: true, servername: true };

const ELSEWHERE = {
  auth: "pass user and password",
  pass: "did you mean password?",
  rejectUnauthorized: "pass the server's certificate as tls.ca",
  secure: "port 465 uses TLS from the start, every other port STARTTLS",
  username: "did you mean user?",
};
