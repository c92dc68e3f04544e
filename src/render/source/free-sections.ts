import type { TagTable } from "../../mustache/tokens.js";
import type { Findings } from "../findings.js";
import { openComments } from "./comments.js";
import type { MappedText } from "./mapped-text.js";
import { endNames } from "./names.js";

/** Separates section tags from comments and element names, so that HTML parsers don't misread them. */
export function freeSections(mapped: MappedText, tags: TagTable, findings: Findings): MappedText {
  return endNames(openComments(mapped, tags, findings), tags);
}
