import { decodeEntities } from "../entities.js";
import type { Part } from "./tree.js";

/**
 * The content of a document's first `<title>`, as plain text; empty if there is none. React Email 6 adds one with each
 * `<Preview>`. If a choice decides which is first, returns that choice.
 */
export function titleOf(parts: readonly Part[]): readonly Part[] {
  return firstTitle(parts) ?? [];
}

function firstTitle(parts: readonly Part[]): readonly Part[] | undefined {
  let title: Part[] | undefined;
  for (const [index, part] of parts.entries()) {
    if (part.kind === "text") {
      for (const piece of part.text.split(/(<title\b[^>]*>|<\/title>)/i)) {
        if (/^<title\b/i.test(piece)) title = [];
        else if (/^<\/title/i.test(piece)) return title;
        else title?.push({ kind: "text", text: decodeEntities(piece) });
      }
    } else if (title) title.push(decoded(part));
    else if (part.kind === "alternative") {
      const [yes, no] = [firstTitle(part.yes), firstTitle(part.no)];
      if (!yes && !no) continue;
      const next = yes && no ? [] : titleOf(parts.slice(index + 1));
      return [{ ...part, yes: [...(yes ?? next)], no: [...(no ?? next)] }];
    }
  }
  return title;
}

function decoded(part: Part): Part {
  if (part.kind === "text") return { kind: "text", text: decodeEntities(part.text) };
  if (part.kind === "each") return { ...part, body: part.body.map(decoded) };
  return part.kind === "alternative" ? { ...part, yes: part.yes.map(decoded), no: part.no.map(decoded) } : part;
}
