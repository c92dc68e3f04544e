import { MustacheSyntaxError, renderMustache } from "../../mustache/fill.js";
import type { Parcel } from "./parcel.js";

/**
 * The subject as the delivery log will show it; empty if it is not known here.
 *
 * @param ofTemplate The template's own subject, as Mustache.
 * @param escape Some services escape a subject as they escape HTML.
 */
export function subjectOf(
  { subject, variables }: Pick<Parcel["email"], "subject" | "variables">,
  ofTemplate: string | undefined,
  escape: "none" | "html" = "none",
): string {
  const mustache = subject ?? ofTemplate ?? "";
  if (!mustache.includes("{{")) return asShown(mustache);
  try {
    return asShown(renderMustache(mustache, { ...variables }, { escape }));
  } catch (error) {
    if (error instanceof MustacheSyntaxError) return asShown(mustache);
    throw error;
  }
}

/** White space is collapsed in transit. */
export function asShown(subject: string): string {
  return subject.normalize("NFC").replaceAll(/\s+/g, " ").trim();
}
