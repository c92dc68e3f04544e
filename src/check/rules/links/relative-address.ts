import type { Rule } from "../../rule.js";
import { isUnknown, schemeOf } from "./address-parts.js";
import { forEachAddress, shown } from "./address-rule.js";
import { isImage } from "./addresses.js";
import { isMalformed } from "./malformed-address.js";
import { whyUnreachable } from "./unreachable-address.js";

export const relativeAddress: Rule = {
  id: "relative-address",
  summary: "A URL is relative, but an email has no base URL.",
  severity: "error",
  checkTemplate: forEachAddress((form, address) => {
    if (form === "" || form.startsWith("#") || isUnknown(form) || schemeOf(form) !== undefined) return undefined;
    // Other rules report a mistyped scheme, localhost:3000 and the syntax of other template engines.
    if (/^(?:<%|\{%|\*\||\[\[|%%|\$\{)/.test(form)) return undefined;
    if (isMalformed(form) || whyUnreachable(form) !== undefined) return undefined;
    if (form.startsWith("//"))
      return {
        severity: "warning",
        message: `${shown(form)} has no scheme, and an email has no page to take it from.`,
        hint: `Write \`https:${shown(form)}\`.`,
      };
    // `build` puts images here if no base URL is configured for them.
    if (isImage(address) && form.startsWith("assets/"))
      return {
        severity: "info",
        message: `${shown(form)} has no URL yet: images in \`_assets\` get theirs from assets.baseUrl.`,
        hint: "Set assets.baseUrl in the configuration to where the images will be hosted.",
      };
    return {
      message: `${shown(form)} is relative, but an email has no base URL: it leads nowhere.`,
      cause: "A URL is relative, but an email has no base URL: it leads nowhere.",
      hint: hintFor(form, isImage(address)),
    };
  }),
};

function hintFor(form: string, isOfImage: boolean): string {
  if (/^[^\s@/:?#{]+@[\w-]+(?:\.[\w-]+)+$/.test(form)) return `Write \`mailto:${shown(form)}\`.`;
  if (/^www\./i.test(form)) return `Write \`https://${shown(form)}\`.`;
  const fullUrl = "Write the full URL, beginning with https://";
  const [, file] = /^[^?#{]*?([^/?#{]+\.\w+)$/.exec(form) ?? [];
  return isOfImage && file !== undefined
    ? `${fullUrl}, or put the image into the templates' _assets folder and write ../_assets/${file}.`
    : `${fullUrl}.`;
}
