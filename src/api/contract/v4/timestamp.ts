import { z } from "zod";

/** ISO 8601 in UTC, such as `2026-08-12T09:30:00Z` (part 2); `+00:00` means the same. */
export const timestampSchema = z.iso.datetime({ offset: true });
