import type { Rule } from "../../rule.js";
import { preheaderLength } from "./preheader-length.js";
import { preheaderMissing } from "./preheader-missing.js";
import { preheaderPadding } from "./preheader-padding.js";
import { preheaderRepeats } from "./preheader-repeats.js";
import { subjectCapitals } from "./subject-capitals.js";
import { subjectCharacters } from "./subject-characters.js";
import { subjectLength } from "./subject-length.js";
import { subjectLineBreak } from "./subject-line-break.js";
import { subjectMarkup } from "./subject-markup.js";
import { subjectMissing } from "./subject-missing.js";
import { subjectPunctuation } from "./subject-punctuation.js";
import { subjectReply } from "./subject-reply.js";

export const subjectRules: readonly Rule[] = [
  subjectMissing,
  subjectLength,
  subjectLineBreak,
  subjectMarkup,
  subjectCharacters,
  subjectCapitals,
  subjectPunctuation,
  subjectReply,
  preheaderMissing,
  preheaderLength,
  preheaderRepeats,
  preheaderPadding,
];
