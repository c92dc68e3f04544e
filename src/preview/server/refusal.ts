import { LettershopError } from "../../errors.js";

/** A request of the page that is refused. The page shows the message. */
export class PreviewRefusal extends LettershopError {
  override readonly name = "Refusal";
  readonly code = "preview_refused";

  constructor(
    readonly status: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 421 | 422 | 500 | 503,
    message: string,
    hint?: string,
  ) {
    super(message, hint === undefined ? {} : { hint });
  }
}
