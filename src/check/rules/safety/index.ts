import type { Rule } from "../../rule.js";
import { baseElement } from "./base-element.js";
import { embeddedContent } from "./embedded-content.js";
import { eventHandler } from "./event-handler.js";
import { executableLink } from "./executable-link.js";
import { formElement } from "./form-element.js";
import { hiddenText } from "./hidden-text.js";
import { invisibleCharacters } from "./invisible-characters.js";
import { lookAlikeDomain } from "./look-alike-domain.js";
import { metaRefresh } from "./meta-refresh.js";
import { numericHost } from "./numeric-host.js";
import { scriptElement } from "./script-element.js";
import { secretInTemplate } from "./secret-in-template.js";
import { spamPhrase } from "./spam-phrase.js";
import { textCapitals } from "./text-capitals.js";
import { tinyText } from "./tiny-text.js";

export const safetyRules: readonly Rule[] = [
  scriptElement,
  eventHandler,
  embeddedContent,
  metaRefresh,
  baseElement,
  formElement,
  hiddenText,
  tinyText,
  invisibleCharacters,
  lookAlikeDomain,
  numericHost,
  executableLink,
  secretInTemplate,
  spamPhrase,
  textCapitals,
];
