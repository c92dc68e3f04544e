import type { Test } from "../runtime/symbolic.js";
import type { Part } from "./tree.js";

/**
 * The first choice that React can't render in place: around `<html>`, of which it allows one, or in `<head>`, where it moves
 * elements. For these, the whole document is rendered once for each case.
 */
export function documentTest(parts: readonly Part[]): Test | undefined {
  if (!isDocument(parts)) return undefined;
  let before = "";
  for (const part of parts) {
    if (part.kind === "text") before += part.text;
    if (part.kind === "alternative" && !part.test.path.loop && isOutsideOfBody(before)) return part.test;
  }
  return undefined;
}

function isDocument(parts: readonly Part[]): boolean {
  return parts.some((part) => part.kind === "text" && /<html\b/i.test(part.text));
}

function isOutsideOfBody(before: string): boolean {
  if (!/<html\b/i.test(before)) return true;
  return /<head\b/i.test(before) && !/<\/head>/i.test(before) && !/<(?:title|style)\b[^>]*>[^<]*$/i.test(before);
}

/**
 * A choice that may decide whether there is a document at all: React adds `<html>` and its content around everything, so
 * that only the body seems to depend on the choice.
 */
export function existenceTest(parts: readonly Part[]): { readonly test: Test; readonly nothing: boolean } | undefined {
  if (!isDocument(parts)) return undefined;
  const [deciding, ...others] = parts.flatMap((part) => (part.kind === "text" ? [] : [part]));
  if (others.length > 0 || deciding?.kind !== "alternative" || deciding.test.path.loop) return undefined;
  const { test, yes, no } = deciding;
  return yes.length > 0 && no.length > 0 ? undefined : { test, nothing: yes.length === 0 };
}
