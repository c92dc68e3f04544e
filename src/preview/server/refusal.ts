import { LettershopError } from "../../errors.js";

/** What the page asked for cannot be had; its message is shown there. */
export class Refusal extends LettershopError {
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
