import type { TagTable } from "../../mustache/tokens.js";
import type { Findings } from "../findings.js";
import { openComments } from "./comments.js";
import type { MappedText } from "./mapped-text.js";
import { endNames } from "./names.js";

/** Takes sections out of what html would make of them: comments, and names of elements. */
export function freeSections(mapped: MappedText, tags: TagTable, findings: Findings): MappedText {
  return endNames(openComments(mapped, tags, findings), tags);
}
