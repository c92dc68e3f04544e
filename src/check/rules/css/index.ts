import type { Rule } from "../../rule.js";
import { cssSyntax } from "./css-syntax.js";
import { cssValue } from "./css-value.js";

/** What is wrong with CSS, whatever mail client reads it. */
export const cssRules: readonly Rule[] = [cssSyntax, cssValue];
