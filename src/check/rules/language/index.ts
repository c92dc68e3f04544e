import type { Rule } from "../../rule.js";
import { bodyLanguage } from "./body-language.js";
import { brokenCharacters } from "./broken-characters.js";
import { foreignSyntax } from "./foreign-syntax.js";
import { languageScript } from "./language-script.js";
import { languageWords } from "./language-words.js";
import { mixedDirection } from "./mixed-direction.js";
import { mixedScripts } from "./mixed-scripts.js";
import { placeholderText } from "./placeholder-text.js";
import { repeatedWord } from "./repeated-word.js";
import { unbalancedMarks } from "./unbalanced-marks.js";

export const languageRules: readonly Rule[] = [
  placeholderText,
  foreignSyntax,
  unbalancedMarks,
  bodyLanguage,
  languageScript,
  languageWords,
  mixedDirection,
  repeatedWord,
  mixedScripts,
  brokenCharacters,
];
