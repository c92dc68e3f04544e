/**
 * The base of every error that callers of lettershop may want to handle.
 *
 * @example
 * try {
 *   await mailer.send("receipt", variables, { to });
 * } catch (error) {
 *   if (error instanceof LettershopError && error.code === "unknown_outcome") { … }
 * }
 */
export abstract class LettershopError extends Error {
  /** The class name as a literal: minifiers rename classes. */
  abstract override readonly name: string;
  /** Identifies the error; stable across versions. */
  abstract readonly code: string;
  /** What to do next, in one sentence, if there is something to do. */
  readonly hint?: string;

  constructor(message: string, options?: { cause?: unknown; hint?: string }) {
    super(message, options?.cause === undefined ? undefined : { cause: options.cause });
    if (options?.hint !== undefined) this.hint = options.hint;
  }
}

/** A configuration, flag or environment variable can't be used. The command ends with exit code 2. */
export class ConfigurationError extends LettershopError {
  override readonly name = "ConfigurationError";
  readonly code = "configuration";
}

/** An optional peer dependency is needed but not installed. The command ends with exit code 2. */
export class MissingPeerError extends LettershopError {
  override readonly name = "MissingPeerError";
  readonly code = "missing_peer";

  constructor(
    /** The packages to install. */
    readonly packages: readonly string[],
    /** What needs them, as a noun phrase: `the MJML template "receipt"`. */
    neededBy: string,
    options?: {
      cause?: unknown;
      /** Whether the running application needs it, too, not only the build of its templates. */ isForRunning?: boolean;
    },
  ) {
    super(
      `${packages.join(" and ")} ${packages.length > 1 ? "are" : "is"} not installed, and ${neededBy} needs ${packages.length > 1 ? "them" : "it"}.`,
      {
        ...options,
        hint: options?.isForRunning
          ? `Run: npm install ${packages.join(" ")}. If it is installed where you build, deploy it, too (with Next.js, list it in \`outputFileTracingIncludes\`).`
          : `Run: npm install --save-dev ${packages.join(" ")}`,
      },
    );
  }
}

/** An optional peer dependency is installed but can't be loaded. The command ends with exit code 2. */
export class PeerLoadError extends LettershopError {
  override readonly name = "PeerLoadError";
  readonly code = "peer_load_failed";

  constructor(
    /** The package that does not load. */
    readonly packageName: string,
    /** What needs it, as a noun phrase: `the mailer's store`. */
    neededBy: string,
    options: { cause: unknown; hint: string },
  ) {
    const [reason] = String(options.cause instanceof Error ? options.cause.message : options.cause).split("\n");
    super(`${packageName}, which ${neededBy} needs, is installed but can't be loaded: ${reason}`, options);
  }
}

/** Any thrown value as an error. */
export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

/** The code that Node gives its errors, such as `ENOENT`. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
