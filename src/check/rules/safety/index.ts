import type { Rule } from "../../rule.js";
import { strippedElement } from "./stripped-element.js";
import { eventHandler } from "./event-handler.js";
import { hiddenText } from "./hidden-text.js";
import { invisibleCharacters } from "./invisible-characters.js";
import { secretInTemplate } from "./secret-in-template.js";
import { tinyText } from "./tiny-text.js";

export const safetyRules: readonly Rule[] = [
  eventHandler,
  hiddenText,
  tinyText,
  invisibleCharacters,
  secretInTemplate,
  strippedElement,
];
