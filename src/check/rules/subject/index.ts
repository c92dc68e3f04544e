import type { Rule } from "../../rule.js";
import { preheaderRule } from "./preheader.js";
import { subjectCharacters } from "./subject-characters.js";
import { subjectLength } from "./subject-length.js";
import { subjectLineBreak } from "./subject-line-break.js";
import { subjectMarkup } from "./subject-markup.js";
import { subjectMissing } from "./subject-missing.js";

export const subjectRules: readonly Rule[] = [
  subjectMissing,
  subjectLength,
  subjectLineBreak,
  subjectMarkup,
  subjectCharacters,
  preheaderRule,
];
