import { z } from "zod";
import { DURATION_MAX_MS } from "./settings.js";

/** Proxies and clients time out on responses that take a minute. */
const WAIT_MAX_MS = 30_000;
const NEWEST_MAX = 200;

/** Body of `POST /local/clock`. */
export const advanceSchema = z.object({
  /** In milliseconds. */
  advance: z.int().min(0).max(DURATION_MAX_MS),
});

/** Query of `GET /local/mails`, as strings. */
export const mailQuery = z.object({
  /** Number of an email (`seq`, `last`): returns later ones. Without it, none are returned. */
  after: z.coerce.number().int().min(0).optional(),
  /** A recipient's whole address, case-insensitive. */
  to: z.string().optional(),
  /** With `after`: how long to wait for an email if there is none yet, in ms. */
  wait: z.coerce.number().int().min(0).max(WAIT_MAX_MS).default(0),
  /** With `wait`: the number of known deletions (`deletions`). The wait ends when it changes. */
  deletions: z.coerce.number().int().min(0).optional(),
  /** Number of newest emails to return instead, newest first. */
  newest: z.coerce.number().int().min(1).max(NEWEST_MAX).optional(),
});
