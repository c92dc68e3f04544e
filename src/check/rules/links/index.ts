import { networkRules } from "../../network/rules.js";
import type { Rule } from "../../rule.js";
import { suspiciousLink } from "./suspicious-link.js";
import { anchorMissing } from "./anchor-missing.js";
import { emptyImage } from "./empty-image.js";
import { emptyLink } from "./empty-link.js";
import { imageAttachment } from "./image-attachment.js";
import { imageDimensions } from "./image-dimensions.js";
import { insecureAddress } from "./insecure-address.js";
import { malformedAddress } from "./malformed-address.js";
import { placeholderAddress } from "./placeholder-address.js";
import { refusedScheme } from "./refused-scheme.js";
import { relativeAddress } from "./relative-address.js";
import { unreachableAddress } from "./unreachable-address.js";

export const linksRules: readonly Rule[] = [
  emptyLink,
  anchorMissing,
  unreachableAddress,
  relativeAddress,
  malformedAddress,
  refusedScheme,
  insecureAddress,
  placeholderAddress,
  emptyImage,
  imageDimensions,
  imageAttachment,
  ...networkRules(),
  suspiciousLink,
];
