import type { Rule } from "../../rule.js";
import { textEmpty } from "./text-empty.js";
import { textIsHtml } from "./text-is-html.js";
import { textLinkMissing } from "./text-link-missing.js";
import { textSectionMissing } from "./text-section-missing.js";

export const textRules: readonly Rule[] = [textEmpty, textIsHtml, textLinkMissing, textSectionMissing];
