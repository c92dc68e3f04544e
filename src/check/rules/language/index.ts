import type { Rule } from "../../rule.js";
import { marketingWording } from "./marketing-wording.js";
import { spamWording } from "./spam-wording.js";
import { brokenCharacters } from "./broken-characters.js";
import { foreignSyntax } from "./foreign-syntax.js";
import { mixedDirection } from "./mixed-direction.js";
import { placeholderText } from "./placeholder-text.js";

export const languageRules: readonly Rule[] = [
  placeholderText,
  foreignSyntax,
  mixedDirection,
  brokenCharacters,
  spamWording,
  marketingWording,
];
