import type { Environment } from "./environment.js";

/** An SMTP server that a mailer sends through. */
export interface SmtpServer {
  /** `smtp://HOST:PORT`, without secrets. */
  readonly url: string;
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

/** What an environment knows when it asks a transport for its server. */
export interface SmtpSurroundings extends Partial<Pick<Environment, "url" | "domain" | "apiKey">> {
  readonly variable: (name: string) => string | undefined;
  /** Set if the environment is `local`: the port on which the local service was found, if it was. */
  readonly local?: { readonly smtpPort?: number | undefined };
  /** Whether a server has to be named. */
  readonly isRequired: boolean;
}

/** The part of an environment that depends on the transport. */
export type SmtpTarget = Pick<Environment, "url" | "domain" | "apiKey"> & { readonly smtp: SmtpServer };

/** The part of `smtp()` of `lettershop/smtp` that resolving an environment needs. */
export interface SmtpResolver {
  /**
   * @returns Undefined if no server is named, and none is required.
   * @throws {ConfigurationError} A setting is unusable or missing; secrets are not quoted.
   */
  readonly resolve: (surroundings: SmtpSurroundings) => SmtpTarget | undefined;
}
