import type { Rule } from "../../rule.js";
import { unknownHtml } from "./unknown-html.js";
import { viewport } from "./viewport.js";
import { headings } from "./headings.js";
import { tableRole } from "./table-role.js";
import { attributeQuotes } from "./attribute-quotes.js";
import { attributeValue } from "./attribute-value.js";
import { backgroundFallback } from "./background-fallback.js";
import { colorScheme } from "./color-scheme.js";
import { contrast } from "./contrast.js";
import { contrastDark } from "./contrast-dark.js";
import { doctypeMissing } from "./doctype-missing.js";
import { duplicateId } from "./duplicate-id.js";
import { endTagMissing } from "./end-tag-missing.js";
import { fixedWidth } from "./fixed-width.js";
import { htmlMoved } from "./html-moved.js";
import { imageAlt } from "./image-alt.js";
import { imageOnly } from "./image-only.js";
import { languageMissing } from "./language-missing.js";
import { linkText } from "./link-text.js";
import { tagAsText } from "./tag-as-text.js";
import { titleMissing } from "./title-missing.js";

export const structureRules: readonly Rule[] = [
  doctypeMissing,
  languageMissing,
  titleMissing,
  colorScheme,
  htmlMoved,
  endTagMissing,
  attributeQuotes,
  attributeValue,
  tagAsText,
  duplicateId,
  imageAlt,
  linkText,
  contrast,
  contrastDark,
  backgroundFallback,
  fixedWidth,
  imageOnly,
  tableRole,
  headings,
  viewport,
  unknownHtml,
];
