import type { Rule } from "../../rule.js";
import { bodyLanguage } from "./body-language.js";
import { brokenCharacters } from "./broken-characters.js";
import { foreignSyntax } from "./foreign-syntax.js";
import { languageScript } from "./language-script.js";
import { mixedDirection } from "./mixed-direction.js";
import { mixedScripts } from "./mixed-scripts.js";
import { placeholderText } from "./placeholder-text.js";

export const languageRules: readonly Rule[] = [
  placeholderText,
  foreignSyntax,
  bodyLanguage,
  languageScript,
  mixedDirection,
  mixedScripts,
  brokenCharacters,
];
