import { z } from "zod";

/**
 * A moment in version 3: milliseconds since 1970, in some responses (updating rules, bulk) seconds (part 2).
 * `readTimestamp` tells them apart.
 */
export const timestampSchema = z.int();

/** A moment in the log, which an earlier form shows as a text: `2026-08-12 09:30:00+0000`, or as mails write dates. */
export const logTimestampSchema = z.union([timestampSchema, z.string()]);
