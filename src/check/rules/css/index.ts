import type { Rule } from "../../rule.js";
import { cssSyntax } from "./css-syntax.js";
import { cssValue } from "./css-value.js";
import { fontFallback } from "./font-fallback.js";
import { lineHeight } from "./line-height.js";

/** Rules about CSS and the text that it styles. */
export const cssRules: readonly Rule[] = [cssSyntax, cssValue, fontFallback, lineHeight];
