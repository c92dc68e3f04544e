import { LettershopError } from "../../errors.js";

/** The local service is not running, or is restarting. */
export class AwayError extends LettershopError {
  override readonly name = "AwayError";
  readonly code = "unreachable";

  constructor(cause: unknown) {
    super("The local service isn't running.", { cause, hint: "Start it with `templates dev`." });
  }
}

/** The local service at this project's URL belongs to another project, whose messages must not be shown here. */
export class OtherProjectError extends LettershopError {
  override readonly name = "OtherProjectError";
  readonly code = "other_project";

  /** @param project The other project's folder. */
  constructor(
    readonly url: string,
    readonly project: string,
  ) {
    super(`The local service at ${url} belongs to another project, ${project}.`, {
      hint: "Start this project's local service with `templates dev`.",
    });
  }
}
