import { decodeEntities } from "../entities.js";
import type { Part } from "./tree.js";

/** What is in a document's `<title>`, as plain text; empty where it has none. Where a choice decides which, that choice. */
export function titleOf(parts: readonly Part[]): Part[] {
  const found: Part[] = [];
  let inside = false;
  for (const part of parts) {
    if (part.kind === "text") {
      for (const piece of part.text.split(/(<title\b[^>]*>|<\/title>)/i)) {
        if (/^<\/?title\b/i.test(piece)) inside = !piece.startsWith("</");
        else if (inside) found.push({ kind: "text", text: decodeEntities(piece) });
      }
    } else if (inside) {
      found.push(decoded(part));
    } else if (part.kind === "alternative") {
      const [yes, no] = [titleOf(part.yes), titleOf(part.no)];
      if (yes.length + no.length > 0) found.push({ ...part, yes, no });
    }
  }
  return found;
}

function decoded(part: Part): Part {
  if (part.kind === "text") return { kind: "text", text: decodeEntities(part.text) };
  if (part.kind === "each") return { ...part, body: part.body.map(decoded) };
  return part.kind === "alternative" ? { ...part, yes: part.yes.map(decoded), no: part.no.map(decoded) } : part;
}
