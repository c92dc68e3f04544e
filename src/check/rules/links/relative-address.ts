import type { Rule } from "../../rule.js";
import { isUnknown, schemeOf } from "./address-parts.js";
import { forEachAddress, shown } from "./address-rule.js";
import { isImage } from "./addresses.js";
import { isMalformed } from "./malformed-address.js";
import { whyUnreachable } from "./unreachable-address.js";

export const relativeAddress: Rule = {
  id: "relative-address",
  summary: "An address is relative, and a mail has no address of its own.",
  severity: "error",
  checkTemplate: forEachAddress((form, address) => {
    if (form === "" || form.startsWith("#") || isUnknown(form) || schemeOf(form) !== undefined) return undefined;
    // Other rules tell of a mistyped scheme, of localhost:3000 and of what another template engine would fill.
    if (/^(?:<%|\{%|\*\||\[\[|%%|\$\{)/.test(form)) return undefined;
    if (isMalformed(form) || whyUnreachable(form) !== undefined) return undefined;
    if (form.startsWith("//"))
      return {
        severity: "warning",
        message: `${shown(form)} has no scheme, and a mail has none that it could be completed with.`,
        hint: `Write \`https:${shown(form)}\`.`,
      };
    // Where `build` puts images while no address for them is configured.
    if (isImage(address) && form.startsWith("assets/"))
      return {
        severity: "info",
        message: `${shown(form)} has no address yet: images of \`_assets\` get theirs from assets.baseUrl.`,
        hint: "Set assets.baseUrl in the configuration to where the images will be.",
      };
    return {
      message: `${shown(form)} is relative, and a mail has no address of its own: it leads nowhere.`,
      cause: "An address is relative, and a mail has none of its own: it leads nowhere.",
      hint: hintFor(form, isImage(address)),
    };
  }),
};

function hintFor(form: string, isOfImage: boolean): string {
  if (/^[^\s@/:?#{]+@[\w-]+(?:\.[\w-]+)+$/.test(form)) return `Write \`mailto:${shown(form)}\`.`;
  if (/^www\./i.test(form)) return `Write \`https://${shown(form)}\`.`;
  const whole = "Write the whole address, beginning with https://";
  const [, file] = /^[^?#{]*?([^/?#{]+\.\w+)$/.exec(form) ?? [];
  return isOfImage && file !== undefined
    ? `${whole}, or put the image into the folder _assets of the templates: its address is ../_assets/${file} then.`
    : `${whole}.`;
}
