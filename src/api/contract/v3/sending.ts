import { z } from "zod";
import { readTimestamp } from "../../timestamp.js";
import { outboundEmailResponse as acceptedV4 } from "../v4/emails.js";
import { templateSchema as templateV4, templateSummarySchema as summaryV4 } from "../v4/templates.js";
import { timestampSchema as timestampV4 } from "../v4/formats.js";
import { success, timestampSchema as timestampV3 } from "./formats.js";

/* Sending and templates are as in version 4, "also" with `success` (part 4). */

/** The latest time of a `Date`, in milliseconds. */
const LATEST = 8.64e15;

/**
 * In version 4's format, since these are its templates, or as integers, which are version 3's timestamps "unless noted"
 * (part 2): the documentation leaves this open.
 */
const timestamp = z.union([
  timestampV4,
  timestampV3
    .min(0)
    .max(LATEST)
    .transform((time) => readTimestamp(time).toISOString()),
]);
const times = { created_at: timestamp, updated_at: timestamp };

export const outboundEmailResponse = acceptedV4.extend(success);
export const templateListResponse = z.object({ templates: z.array(summaryV4.extend(times)), ...success });
export const templateResponse = z.object({ template: templateV4.extend(times), ...success });
