import type { Rule } from "../../rule.js";
import { attributeQuotes } from "./attribute-quotes.js";
import { attributeValue } from "./attribute-value.js";
import { charsetMissing } from "./charset-missing.js";
import { colorScheme } from "./color-scheme.js";
import { contrast } from "./contrast.js";
import { contrastDark } from "./contrast-dark.js";
import { dataTableRole } from "./data-table-role.js";
import { doctypeMissing } from "./doctype-missing.js";
import { duplicateId } from "./duplicate-id.js";
import { endTagMissing } from "./end-tag-missing.js";
import { fixedWidth } from "./fixed-width.js";
import { headingEmpty } from "./heading-empty.js";
import { headingOrder } from "./heading-order.js";
import { htmlMoved } from "./html-moved.js";
import { imageAlt } from "./image-alt.js";
import { imageOnly } from "./image-only.js";
import { languageMissing } from "./language-missing.js";
import { layoutTableRole } from "./layout-table-role.js";
import { linkText } from "./link-text.js";
import { listParts } from "./list-parts.js";
import { tagAsText } from "./tag-as-text.js";
import { titleMissing } from "./title-missing.js";
import { unknownAttribute } from "./unknown-attribute.js";
import { unknownElement } from "./unknown-element.js";
import { viewportMissing } from "./viewport-missing.js";
import { viewportZoom } from "./viewport-zoom.js";

export const structureRules: readonly Rule[] = [
  doctypeMissing,
  languageMissing,
  titleMissing,
  charsetMissing,
  viewportMissing,
  viewportZoom,
  colorScheme,
  htmlMoved,
  listParts,
  endTagMissing,
  attributeQuotes,
  attributeValue,
  unknownElement,
  unknownAttribute,
  tagAsText,
  layoutTableRole,
  dataTableRole,
  headingOrder,
  headingEmpty,
  duplicateId,
  imageAlt,
  linkText,
  contrast,
  contrastDark,
  fixedWidth,
  imageOnly,
];
