import { z } from "zod";
import { DURATION_MAX_MS } from "./settings.js";

/** Proxies and clients give up on answers that take a minute. */
const WAIT_MAX_MS = 30_000;
const NEWEST_MAX = 200;

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
  /** With `after`: milliseconds to wait for a mail where there is none yet. */
  wait: z.coerce.number().int().min(0).max(WAIT_MAX_MS).default(0),
  /** With `wait`: how many deletions are known (`deletions`). Another number ends the wait. */
  deletions: z.coerce.number().int().min(0).optional(),
  /** So many of the newest, newest first, instead. */
  newest: z.coerce.number().int().min(1).max(NEWEST_MAX).optional(),
});
