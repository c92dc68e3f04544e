import { LettershopError } from "../../errors.js";

/** The local service does not run, or is being started again. */
export class AwayError extends LettershopError {
  override readonly name = "AwayError";
  readonly code = "unreachable";

  constructor(cause: unknown) {
    super("The local service isn't running.", { cause, hint: "Start it with `templates dev`." });
  }
}

/** The local service that answers where this project's would is another project's: its mails are nobody's business here. */
export class OtherProjectError extends LettershopError {
  override readonly name = "OtherProjectError";
  readonly code = "other_project";

  /** @param project The other's folder. */
  constructor(
    readonly url: string,
    readonly project: string,
  ) {
    super(`The local service at ${url} belongs to another project, ${project}.`, {
      hint: "Start this project's own with `templates dev`.",
    });
  }
}
