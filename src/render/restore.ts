import { separateTags } from "../mustache/lines.js";
import { restore, type Tokenised } from "../mustache/tokens.js";
import { separateBraces, separateBracesInText } from "./braces.js";

/** The HTML body with its tags restored, written so that every engine reads it alike. */
export function restoreHtml({ text, tags }: Tokenised): string {
  return separateTags(restore(separateBraces(text), tags, "html"));
}

/** The same for a text body or a subject, where nothing is escaped. */
export function restoreText({ text, tags }: Tokenised): string {
  return separateTags(restore(separateBracesInText(text), tags, "text"));
}
