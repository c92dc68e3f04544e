// Generated from the files in this folder. After adding a rule, run: npm run rules
import type { BuiltInRule } from "../rule.js";
import { clientUnknown } from "./client-support/client-unknown.js";
import { clientUnsupported } from "./client-support/client-unsupported.js";
import { cssSyntax } from "./css/css-syntax.js";
import { cssValue } from "./css/css-value.js";
import { fontFallback } from "./css/font-fallback.js";
import { lineHeight } from "./css/line-height.js";
import { brokenCharacters } from "./language/broken-characters.js";
import { foreignSyntax } from "./language/foreign-syntax.js";
import { marketingWording } from "./language/marketing-wording.js";
import { mixedDirection } from "./language/mixed-direction.js";
import { placeholderText } from "./language/placeholder-text.js";
import { spamWording } from "./language/spam-wording.js";
import { filledSubject } from "./limits/filled-subject.js";
import { gmailClipping } from "./limits/gmail-clipping.js";
import { gmailStyles } from "./limits/gmail-styles.js";
import { lengthNearLimit } from "./limits/length-near-limit.js";
import { templateCount } from "./limits/template-count.js";
import { anchorMissing } from "./links/anchor-missing.js";
import { deadAddress } from "./links/dead-address.js";
import { emptyImage } from "./links/empty-image.js";
import { emptyLink } from "./links/empty-link.js";
import { imageAttachment } from "./links/image-attachment.js";
import { imageContentType } from "./links/image-content-type.js";
import { imageDimensions } from "./links/image-dimensions.js";
import { imageWeight } from "./links/image-weight.js";
import { insecureAddress } from "./links/insecure-address.js";
import { malformedAddress } from "./links/malformed-address.js";
import { networkUnavailable } from "./links/network-unavailable.js";
import { placeholderAddress } from "./links/placeholder-address.js";
import { redirectedAddress } from "./links/redirected-address.js";
import { refusedScheme } from "./links/refused-scheme.js";
import { relativeAddress } from "./links/relative-address.js";
import { suspiciousLink } from "./links/suspicious-link.js";
import { unreachableAddress } from "./links/unreachable-address.js";
import { jsonDuplicateKey } from "./project/json-duplicate-key.js";
import { registryOutOfDate } from "./project/registry-out-of-date.js";
import { registryTemplateMissing } from "./project/registry-template-missing.js";
import { unusedFile } from "./project/unused-file.js";
import { eventHandler } from "./safety/event-handler.js";
import { hiddenText } from "./safety/hidden-text.js";
import { invisibleCharacters } from "./safety/invisible-characters.js";
import { secretInTemplate } from "./safety/secret-in-template.js";
import { strippedElement } from "./safety/stripped-element.js";
import { tinyText } from "./safety/tiny-text.js";
import { attributeQuotes } from "./structure/attribute-quotes.js";
import { attributeValue } from "./structure/attribute-value.js";
import { backgroundFallback } from "./structure/background-fallback.js";
import { colorScheme } from "./structure/color-scheme.js";
import { contrast } from "./structure/contrast.js";
import { contrastDark } from "./structure/contrast-dark.js";
import { doctypeMissing } from "./structure/doctype-missing.js";
import { duplicateId } from "./structure/duplicate-id.js";
import { endTagMissing } from "./structure/end-tag-missing.js";
import { fixedWidth } from "./structure/fixed-width.js";
import { headings } from "./structure/headings.js";
import { htmlMoved } from "./structure/html-moved.js";
import { imageAlt } from "./structure/image-alt.js";
import { imageOnly } from "./structure/image-only.js";
import { languageMissing } from "./structure/language-missing.js";
import { linkText } from "./structure/link-text.js";
import { tableRole } from "./structure/table-role.js";
import { tagAsText } from "./structure/tag-as-text.js";
import { titleMissing } from "./structure/title-missing.js";
import { unknownHtml } from "./structure/unknown-html.js";
import { viewport } from "./structure/viewport.js";
import { preheader } from "./subject/preheader.js";
import { subjectCharacters } from "./subject/subject-characters.js";
import { subjectLength } from "./subject/subject-length.js";
import { subjectLineBreak } from "./subject/subject-line-break.js";
import { subjectMarkup } from "./subject/subject-markup.js";
import { subjectMissing } from "./subject/subject-missing.js";
import { textEmpty } from "./text/text-empty.js";
import { textIsHtml } from "./text/text-is-html.js";
import { textLinkMissing } from "./text/text-link-missing.js";
import { textSectionMissing } from "./text/text-section-missing.js";
import { optionalVariable } from "./variables/optional-variable.js";
import { rawVariable } from "./variables/raw-variable.js";
import { sectionsBreakHtml } from "./variables/sections-break-html.js";
import { unusedVariable } from "./variables/unused-variable.js";
import { valueBreaksHtml } from "./variables/value-breaks-html.js";
import { variableInAddress } from "./variables/variable-in-address.js";
import { variableInCss } from "./variables/variable-in-css.js";
import { variableInMarkup } from "./variables/variable-in-markup.js";
import { variableInScript } from "./variables/variable-in-script.js";
import { variableWithoutExample } from "./variables/variable-without-example.js";

/** The rules by group. The configuration names a rule with its group: `links/empty-link`. */
export const RULES_BY_GROUP: Readonly<Record<string, readonly BuiltInRule[]>> = {
  "client-support": [clientUnknown, clientUnsupported],
  css: [cssSyntax, cssValue, fontFallback, lineHeight],
  language: [brokenCharacters, foreignSyntax, marketingWording, mixedDirection, placeholderText, spamWording],
  limits: [filledSubject, gmailClipping, gmailStyles, lengthNearLimit, templateCount],
  links: [
    anchorMissing,
    deadAddress,
    emptyImage,
    emptyLink,
    imageAttachment,
    imageContentType,
    imageDimensions,
    imageWeight,
    insecureAddress,
    malformedAddress,
    networkUnavailable,
    placeholderAddress,
    redirectedAddress,
    refusedScheme,
    relativeAddress,
    suspiciousLink,
    unreachableAddress,
  ],
  project: [jsonDuplicateKey, registryOutOfDate, registryTemplateMissing, unusedFile],
  safety: [eventHandler, hiddenText, invisibleCharacters, secretInTemplate, strippedElement, tinyText],
  structure: [
    attributeQuotes,
    attributeValue,
    backgroundFallback,
    colorScheme,
    contrast,
    contrastDark,
    doctypeMissing,
    duplicateId,
    endTagMissing,
    fixedWidth,
    headings,
    htmlMoved,
    imageAlt,
    imageOnly,
    languageMissing,
    linkText,
    tableRole,
    tagAsText,
    titleMissing,
    unknownHtml,
    viewport,
  ],
  subject: [preheader, subjectCharacters, subjectLength, subjectLineBreak, subjectMarkup, subjectMissing],
  text: [textEmpty, textIsHtml, textLinkMissing, textSectionMissing],
  variables: [
    optionalVariable,
    rawVariable,
    sectionsBreakHtml,
    unusedVariable,
    valueBreaksHtml,
    variableInAddress,
    variableInCss,
    variableInMarkup,
    variableInScript,
    variableWithoutExample,
  ],
};
