import type { Rule } from "../../rule.js";
import { className } from "./class-name.js";
import { cssSyntax } from "./css-syntax.js";
import { cssValue } from "./css-value.js";
import { styleObject } from "./style-object.js";

/** What is wrong with CSS, whatever mail client reads it. */
export const cssRules: readonly Rule[] = [cssSyntax, cssValue, styleObject, className];
