import { LOCAL_DOMAIN, LOCAL_SMTP_PASSWORD, LOCAL_SMTP_PORT, LOCAL_SMTP_USER } from "../api/local.js";
import { ConfigurationError } from "../errors.js";
import type { SmtpServer, SmtpSurroundings, SmtpTarget } from "../project/smtp-server.js";

/** Options of `smtp()`, or what variables set. */
export type OwnSettings = { readonly [Name in keyof Omit<SmtpServer, "url">]?: SmtpServer[Name] | undefined };

/** The port for submission, with STARTTLS (RFC 6409). */
const SUBMISSION_PORT = 587;

/**
 * The server of a mailer, and the service on which it can look up what became of messages, if there is one.
 *
 * With a host of their own, settings are complete, so that a password never goes to another server than the one that it
 * belongs to. Otherwise the variables apply, or for `local` without a host in them the local service's port and
 * credential.
 */
export function resolveServer(own: OwnSettings, surroundings: SmtpSurroundings): SmtpTarget | undefined {
  const { variable, url, apiKey, local, isRequired } = surroundings;
  const named = variable("LETTERSHOP_SMTP_HOST") !== undefined;
  if (named && own.host === undefined && (own.port ?? own.user ?? own.password) !== undefined)
    throw new ConfigurationError("smtp() has settings of a server, but no `host`.", {
      hint: "Pass `host`, too, or only `tls`: then the server comes from LETTERSHOP_SMTP_HOST and its other variables.",
    });
  const settings =
    own.host === undefined
      ? { ...(local && !named ? localSettings(local.smtpPort) : fromVariables(variable)), tls: own.tls }
      : own;
  if (settings.host === undefined) {
    if (!isRequired) return undefined;
    throw new ConfigurationError("The mailer sends by SMTP, but no server is set.", {
      hint: "Set LETTERSHOP_SMTP_HOST, LETTERSHOP_SMTP_USER and LETTERSHOP_SMTP_PASSWORD, or pass them to smtp(). In development, set NODE_ENV=development to send to the local service instead.",
    });
  }
  const smtp = checked({ ...settings, host: settings.host }, own.host === undefined ? "variables" : "options");
  const { domain = domainOf(smtp.user) ?? (local && LOCAL_DOMAIN) } = surroundings;
  if (domain === undefined)
    throw new ConfigurationError("The mailer sends by SMTP, but the domain of the senders' addresses is not set.", {
      hint: "Pass `domain` to createMailer, or set LETTERSHOP_DOMAIN.",
    });
  return url === undefined || apiKey === undefined
    ? { url: smtp.url, domain, apiKey: "", smtp }
    : { url, domain, apiKey, smtp };
}

function fromVariables(variable: SmtpSurroundings["variable"]): OwnSettings {
  const port = variable("LETTERSHOP_SMTP_PORT");
  return {
    host: variable("LETTERSHOP_SMTP_HOST"),
    port: port === undefined ? undefined : /^\d{1,5}$/.test(port) ? Number(port) : Number.NaN,
    user: variable("LETTERSHOP_SMTP_USER"),
    password: variable("LETTERSHOP_SMTP_PASSWORD"),
  };
}

function localSettings(port: number = LOCAL_SMTP_PORT): OwnSettings {
  return { host: "127.0.0.1", port, user: `${LOCAL_SMTP_USER}@${LOCAL_DOMAIN}`, password: LOCAL_SMTP_PASSWORD };
}

function checked(
  { host, port = SUBMISSION_PORT, user, password, tls }: OwnSettings & Pick<SmtpServer, "host">,
  source: "options" | "variables",
): SmtpServer {
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
  if (tls?.ca !== undefined && !isPem(tls.ca))
    throw new ConfigurationError("The SMTP option `tls.ca` is not a certificate in PEM format.", {
      hint: 'Pass the content of the file, such as readFileSync("ca.pem").',
    });
  if (tls?.servername !== undefined && typeof tls.servername !== "string")
    throw new ConfigurationError("The SMTP option `tls.servername` is not a string.");
  const url = `smtp://${host.includes(":") ? `[${host}]` : host.toLowerCase()}:${port}`;
  return { url, host, port, user, password, tls };
}

function isPem(ca: unknown): boolean {
  return (typeof ca === "string" || ca instanceof Uint8Array) && Buffer.from(ca).includes("CERTIFICATE-----");
}

/** User names of the service are addresses; others may be anything. */
function domainOf(user: string | undefined): string | undefined {
  return user === undefined ? undefined : /^[^@]+@([a-z0-9.-]+\.[a-z0-9-]+)$/i.exec(user)?.[1];
}
