import type { Test } from "../runtime/symbolic.js";
import type { Part } from "./tree.js";

/**
 * The first choice that React cannot render in place: before `<html>`, of which it allows one, and in `<head>`, where it
 * moves elements. For these the whole document is rendered once for each answer.
 */
export function documentTest(parts: readonly Part[]): Test | undefined {
  const isDocument = parts.some((part) => part.kind === "text" && /<html\b/i.test(part.text));
  if (!isDocument) return undefined;
  let before = "";
  for (const part of parts) {
    if (part.kind === "text") before += part.text;
    if (part.kind === "alternative" && !part.test.path.loop && isOutsideOfBody(before)) return part.test;
  }
  return undefined;
}

function isOutsideOfBody(before: string): boolean {
  if (!/<html\b/i.test(before)) return true;
  return /<head\b/i.test(before) && !/<\/head>/i.test(before) && !/<(?:title|style)\b[^>]*>[^<]*$/i.test(before);
}
