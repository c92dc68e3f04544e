import type { BuiltInRule } from "../../rule.js";
import { isUnknown, schemeOf, isMalformed, whyUnreachable } from "../../lib/urls.js";
import { forEachAddress, shortUrl, isImage } from "../../lib/addresses.js";

export const relativeAddress: BuiltInRule = {
  id: "relative-address",
  severity: "error",
  summary: "A URL is relative, but an email has no base URL.",
  details: "A link or an image has a relative URL, such as `/pay`, `www.shop.example` or `//shop.example/pay`.",
  why:
    "An email has no base URL, so such a link leads nowhere ([RFC 3986, section " +
    "5.1](https://www.rfc-editor.org/rfc/rfc3986#section-5.1)). It is a note for images in `_assets` while " +
    "`assets.baseUrl` is not set, and a warning if only the scheme is missing, because some email clients add one.",
  fix: "Write the full URL, beginning with `https://`, or set `assets.baseUrl` in lettershop.config.ts.",
  examples: {
    wrong: ['<a ‸href="/pay">Pay</a>', '<a ‸href="www.shop.example">Our shop</a>'],
    right: ['<a href="https://shop.example/pay">Pay</a>'],
  },
  checkTemplate: forEachAddress((form, address) => {
    if (form === "" || form.startsWith("#") || isUnknown(form) || schemeOf(form) !== undefined) return undefined;
    // Other rules report a mistyped scheme, localhost:3000 and the syntax of other template engines.
    if (/^(?:<%|\{%|\*\||\[\[|%%|\$\{)/.test(form)) return undefined;
    if (isMalformed(form) || whyUnreachable(form) !== undefined) return undefined;
    if (form.startsWith("//"))
      return {
        severity: "warning",
        message: `${shortUrl(form)} has no scheme, and an email has no page to take it from.`,
        hint: `Write \`https:${shortUrl(form)}\`.`,
      };
    // `build` puts images here if no base URL is configured for them.
    if (isImage(address) && form.startsWith("assets/"))
      return {
        severity: "info",
        message: `${shortUrl(form)} has no URL yet: images in \`_assets\` get theirs from assets.baseUrl.`,
        hint: "Set assets.baseUrl in the configuration to where the images will be hosted.",
      };
    return {
      message: `${shortUrl(form)} is relative, but an email has no base URL: it leads nowhere.`,
      cause: "A URL is relative, but an email has no base URL: it leads nowhere.",
      hint: hintFor(form, isImage(address)),
    };
  }),
};

function hintFor(form: string, isOfImage: boolean): string {
  if (/^[^\s@/:?#{]+@[\w-]+(?:\.[\w-]+)+$/.test(form)) return `Write \`mailto:${shortUrl(form)}\`.`;
  if (/^www\./i.test(form)) return `Write \`https://${shortUrl(form)}\`.`;
  const fullUrl = "Write the full URL, beginning with https://";
  const [, file] = /^[^?#{]*?([^/?#{]+\.\w+)$/.exec(form) ?? [];
  return isOfImage && file !== undefined
    ? `${fullUrl}, or put the image into the templates' _assets folder and write ../_assets/${file}.`
    : `${fullUrl}.`;
}
