import type { Part } from "./document/tree.js";
import type { Test } from "./runtime/symbolic.js";

/**
 * The first choice between previews. React Email 6's `<Preview>` adds a `<title>`, which React moves into the head, out of the
 * choice; so the whole document is rendered once for each case.
 */
export function previewTest(parts: readonly Part[]): Test | undefined {
  if (!parts.some((part) => part.kind === "text" && /<title\b/i.test(part.text))) return undefined;
  const choice = parts.find((part) => part.kind === "alternative" && hasPreview(part) && !part.test.path.loop);
  return choice?.kind === "alternative" ? choice.test : undefined;
}

function hasPreview(part: Part): boolean {
  if (part.kind === "text") return part.text.includes("data-skip-in-text=");
  return part.kind === "alternative" && [...part.yes, ...part.no].some(hasPreview);
}
