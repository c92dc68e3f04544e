import { z } from "zod";
import { DURATION_MAX_MS } from "./settings.js";

/** What `POST /local/clock` takes. */
export const advanceSchema = z.object({
  /** Milliseconds. */
  advance: z.int().min(0).max(DURATION_MAX_MS),
});

/** What `GET /local/mails` takes, as strings from the address. */
export const mailQuery = z.object({
  /** The number of a mail (`seq`, `last`): those after it. Without it, none. */
  after: z.coerce.number().int().min(0).optional(),
  /** The whole address of a recipient, in any case. */
  to: z.string().optional(),
});
