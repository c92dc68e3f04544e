import { z } from "zod";
import type { Finding } from "../rule.js";

const place = z.int().min(1);
const position = z.strictObject({ file: z.string(), line: place.optional(), column: place.optional() });

/** What a rule of the project's own may give. */
export const findingsSchema = z.array(
  z.strictObject({
    message: z.string().min(1),
    severity: z.enum(["error", "warning", "info"]).optional(),
    at: position.optional(),
    hint: z.string().optional(),
    template: z.string().optional(),
    edits: z
      .array(
        z.strictObject({
          at: position.required(),
          remove: z.string(),
          insert: z.string(),
          isUnsafe: z.literal(true).optional(),
        }),
      )
      .optional(),
  }),
) satisfies z.ZodType<Finding[]>;
