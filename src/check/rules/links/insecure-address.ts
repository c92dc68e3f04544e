import type { Edit } from "../../../diagnostic.js";
import type { BuiltInRule } from "../../rule.js";
import { hostOf, whyPrivate } from "../../lib/urls.js";
import { forEachAddress, shortUrl, type EmailUrl, type TextAddress } from "../../lib/addresses.js";

export const insecureAddress: BuiltInRule = {
  id: "insecure-address",
  severity: "warning",
  summary: "A URL uses http instead of https.",
  details: "A URL begins with `http:` instead of `https:`.",
  why:
    "Others on the network can read what is sent over such a link, and browsers warn about it. Gmail and other clients load " +
    "images only over `https:`, or show them with a warning. `check --fix --unsafe` writes `https:` if the source " +
    "contains the full URL. The rule also checks a hand-written text body and what conditional comments show to " +
    "Outlook.",
  fix: "Use `https://`. If the server has no certificate, get one: [letsencrypt.org](https://letsencrypt.org).",
  examples: {
    wrong: ['<a ‸href="http://shop.example/orders">Your order</a>'],
    right: ['<a href="https://shop.example/orders">Your order</a>'],
  },
  checkTemplate: forEachAddress((form, address) => {
    if (!isInsecure(form)) return undefined;
    const why =
      address.use === "link"
        ? "others on the network can read what is sent, and browsers warn"
        : "several email clients don't load it";
    const edit = editOf(address);
    return {
      message: `${shortUrl(form)} uses http: ${why}.`,
      cause: `A URL uses http: ${why}.`,
      hint: "Use https://.",
      ...(edit && { edits: [edit] }),
    };
  }),
};

function isInsecure(form: string): boolean {
  if (!/^http:\/\/[^\s/]/i.test(form) || /^http:\/\/https?[:/]/i.test(form)) return false;
  const host = hostOf(form);
  return host === undefined || whyPrivate(host) === undefined;
}

/** Undefined if the source does not spell out the scheme. */
function editOf(address: EmailUrl | TextAddress): Edit | undefined {
  const [remove] = /^http:/i.exec(address.written) ?? [];
  const at = remove === undefined ? undefined : beginningOf(address, remove);
  if (remove === undefined || at?.line === undefined || at.column === undefined) return undefined;
  // The server may not support https.
  return { at: { ...at, line: at.line, column: at.column }, remove, insert: "https:", isUnsafe: true };
}

function beginningOf(address: EmailUrl | TextAddress, beginning: string) {
  if (!address.element) return address.at();
  const { element, attribute, written } = address;
  if (attribute === undefined) return element.atValue("style", written);
  return element.atValue(attribute, beginning);
}
