import { z } from "zod";

/**
 * A time in version 3: milliseconds since 1970; in some responses (updating rules, bulk) seconds (part 2).
 * `readTimestamp` distinguishes them.
 */
export const timestampSchema = z.int();

/** A time in the log, which an earlier format has as a string: `2026-08-12 09:30:00+0000`, or an email date. */
export const logTimestampSchema = z.union([timestampSchema, z.string()]);
