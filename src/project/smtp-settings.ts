import { isLoopback, LOCAL_DOMAIN, LOCAL_SMTP_PASSWORD, LOCAL_SMTP_PORT, LOCAL_SMTP_USER } from "../api/local.js";
import { ConfigurationError } from "../errors.js";

/** How to reach an SMTP server. */
export interface SmtpSettings {
  readonly host: string;
  readonly port: number;
  /** A service's credential, such as `app@example.com`. Without one, nothing logs in. */
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  readonly tls?: SmtpTls | undefined;
}

/** For servers whose certificate no public authority has signed. The certificate of a loopback host is not verified. */
export interface SmtpTls {
  /** The certificate of the authority, or of the server itself if it is self-signed, in PEM format. */
  readonly ca?: string | Uint8Array | undefined;
  /** The name in the server's certificate, if it is not `host`. */
  readonly servername?: string | undefined;
}

/** Settings that variables may complete. */
export type OwnSmtpSettings = { readonly [Name in keyof SmtpSettings]?: SmtpSettings[Name] | undefined };

/** The port for submission, with STARTTLS (RFC 6409). */
const SUBMISSION_PORT = 587;

type Variables = (name: string) => string | undefined;

/**
 * Combines settings with the variables LETTERSHOP_SMTP_HOST, LETTERSHOP_SMTP_PORT, LETTERSHOP_SMTP_USER and
 * LETTERSHOP_SMTP_PASSWORD, which apply to what is not set. With a host of their own, settings are complete, so that a
 * password never goes to another server than the one that it belongs to.
 *
 * @returns Undefined if nothing names a host.
 * @throws {ConfigurationError} A setting is unusable or missing; secrets are not quoted.
 */
export function readSmtpSettings(own: OwnSmtpSettings, variable: Variables): SmtpSettings | undefined {
  const port = variable("LETTERSHOP_SMTP_PORT");
  const fromVariables = {
    host: variable("LETTERSHOP_SMTP_HOST"),
    port: port === undefined ? undefined : /^\d{1,5}$/.test(port) ? Number(port) : Number.NaN,
    user: variable("LETTERSHOP_SMTP_USER"),
    password: variable("LETTERSHOP_SMTP_PASSWORD"),
  };
  const { tls } = own;
  const { host, port: number = SUBMISSION_PORT, user, password } = own.host === undefined ? fromVariables : own;
  if (host === undefined) return undefined;
  const source = own.host === undefined ? "variables" : "options";
  return checked({ host, port: number, user, password, tls }, source);
}

/** The settings of the local service, whose credential is not a secret. */
export function localSmtpSettings(smtpPort: number = LOCAL_SMTP_PORT): SmtpSettings {
  return {
    host: "127.0.0.1",
    port: smtpPort,
    user: `${LOCAL_SMTP_USER}@${LOCAL_DOMAIN}`,
    password: LOCAL_SMTP_PASSWORD,
  };
}

function checked(settings: SmtpSettings, source: "options" | "variables"): SmtpSettings {
  const { host, port, user, password } = settings;
  if (typeof host !== "string" || !/^[\w.:-]+$/.test(host))
    throw new ConfigurationError("The SMTP host is not a host name or an IP address.", {
      hint: "Write only the name, such as smtp.example.com; the port is a setting of its own.",
    });
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new ConfigurationError("The SMTP port is not a number from 1 to 65535.", {
      hint: "Servers listen for applications on port 587, or 465 with TLS from the start.",
    });
  for (const [name, value] of Object.entries({ user, password }))
    if (value !== undefined && (typeof value !== "string" || value === "" || value.includes("\0")))
      throw new ConfigurationError(`The SMTP ${name} is empty or not valid.`);
  if ((user === undefined) !== (password === undefined)) {
    const [present, missing] = user === undefined ? ["password", "user"] : ["user", "password"];
    throw new ConfigurationError(`The SMTP ${present} is set, but the ${missing} is not.`, {
      hint: source === "options" ? `Pass \`${missing}\` to smtp().` : `Set LETTERSHOP_SMTP_${missing.toUpperCase()}.`,
    });
  }
  return settings;
}

/** `smtp://HOST:PORT`, without secrets. */
export function smtpUrl({ host, port }: Pick<SmtpSettings, "host" | "port">): string {
  return `smtp://${host.includes(":") ? `[${host}]` : host.toLowerCase()}:${port}`;
}

/** Whether the connection stays on this machine. */
export function isLocalServer({ host }: Pick<SmtpSettings, "host">): boolean {
  return isLoopback(host.toLowerCase());
}
