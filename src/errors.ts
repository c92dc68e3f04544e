/**
 * The base of every error that a caller of lettershop may want to handle.
 *
 * @example
 * try {
 *   await mailer.send("receipt", variables, { to });
 * } catch (error) {
 *   if (error instanceof LettershopError && error.code === "unknown_outcome") { … }
 * }
 */
export abstract class LettershopError extends Error {
  /** Which error this is; stable across versions. */
  abstract readonly code: string;
  /** What to do next, in one sentence, where there is something to do. */
  readonly hint?: string;

  constructor(message: string, options?: { cause?: unknown; hint?: string }) {
    super(message, options?.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    if (options?.hint !== undefined) this.hint = options.hint;
  }
}

/** A configuration, a flag or an environment variable that cannot be used. The command ends with exit code 2. */
export class ConfigurationError extends LettershopError {
  readonly code = "configuration";
}

/** An optional peer dependency that is needed here and is not installed. The command ends with exit code 2. */
export class MissingPeerError extends LettershopError {
  readonly code = "missing_peer";

  constructor(
    /** The packages to install. */
    readonly packages: readonly string[],
    /** What needs them, as a noun phrase: `the MJML template "receipt"`. */
    neededBy: string,
    options?: {
      cause?: unknown;
      /** Where the application runs, too, and not only where its templates are built. */ isForRunning?: boolean;
    },
  ) {
    super(
      `${packages.join(" and ")} ${packages.length > 1 ? "are" : "is"} not installed, and ${neededBy} needs ${packages.length > 1 ? "them" : "it"}.`,
      {
        ...options,
        hint: `Run: npm install ${options?.isForRunning ? "" : "--save-dev "}${packages.join(" ")}`,
      },
    );
  }
}
