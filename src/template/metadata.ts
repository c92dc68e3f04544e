import { z } from "zod";
import { TEMPLATE_NAME } from "../api/limits.js";
import type { Diagnostic } from "../diagnostic.js";
import { nearest } from "../nearest.js";
import { describeIssue } from "./issue.js";
import { jsonPosition, parseJson } from "./json.js";
import type { Metadata, SourceFile } from "./template.js";

const metadataSchema = z.strictObject({
  /** For editors. */
  $schema: z.string().optional(),
  subject: z.string().optional(),
  description: z.string().optional(),
  renamedFrom: z.string().regex(TEMPLATE_NAME, "expected a template's name").optional(),
  locale: z.string().refine(isLocale, "expected a language tag such as en-US").optional(),
  direction: z.enum(["ltr", "rtl"]).optional(),
  priority: z.enum(["high", "normal"]).optional(),
  expiresAfter: z
    .string()
    .regex(/^[1-9]\d*[smhd]$/, "expected a duration such as 90s, 10m, 2h or 1d")
    .optional(),
  onUnknown: z.enum(["park", "resend"]).optional(),
});

/** Reads `template.json`. Empty where there are diagnostics. */
export function readMetadata(source: SourceFile): { metadata: Metadata; diagnostics: Diagnostic[] } {
  const { value, problem } = parseJson(source);
  if (problem !== undefined) {
    return { metadata: {}, diagnostics: [{ rule: "metadata-json", severity: "error", ...problem }] };
  }
  const parsed = metadataSchema.safeParse(value);
  if (!parsed.success) {
    return { metadata: {}, diagnostics: parsed.error.issues.flatMap((issue) => diagnosticsOf(issue, source)) };
  }
  const { $schema: _, ...metadata } = parsed.data;
  return { metadata, diagnostics: [] };
}

function diagnosticsOf(issue: z.core.$ZodIssue, source: SourceFile): Diagnostic[] {
  if (issue.code === "unrecognized_keys") return issue.keys.map((key) => unknownKey(key, source));
  const at = jsonPosition(source, issue.path);
  return [{ rule: "metadata-value", severity: "error", message: describeIssue(issue), at }];
}

function unknownKey(key: string, source: SourceFile): Diagnostic {
  const known = Object.keys(metadataSchema.shape);
  const near = nearest(key, known);
  return {
    rule: "metadata-unknown-key",
    severity: "error",
    message: `template.json has no key "${key}".`,
    at: jsonPosition(source, [key], "name"),
    hint:
      near === undefined
        ? `Its keys are: ${known.filter((each) => each !== "$schema").join(", ")}.`
        : `Did you mean ${near}?`,
  };
}

function isLocale(tag: string): boolean {
  try {
    Intl.getCanonicalLocales(tag);
    return true;
  } catch {
    return false;
  }
}
