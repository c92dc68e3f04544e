import type { Edit } from "../../../diagnostic.js";
import type { Rule } from "../../rule.js";
import { hostOf } from "./address-parts.js";
import { forEachAddress, shown } from "./address-rule.js";
import type { Address, TextAddress } from "./addresses.js";
import { whyPrivate } from "./private-hosts.js";

export const insecureAddress: Rule = {
  id: "insecure-address",
  summary: "A URL uses http instead of https.",
  severity: "warning",
  checkTemplate: forEachAddress((form, address) => {
    if (!isInsecure(form)) return undefined;
    const why =
      address.use === "link"
        ? "others on the network can read what is sent, and browsers warn"
        : "several email clients don't load it";
    const edit = editOf(address);
    return {
      message: `${shown(form)} uses http: ${why}.`,
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
function editOf(address: Address | TextAddress): Edit | undefined {
  const [remove] = /^http:/i.exec(address.written) ?? [];
  const at = remove === undefined ? undefined : beginningOf(address, remove);
  if (remove === undefined || at?.line === undefined || at.column === undefined) return undefined;
  // The server may not support https.
  return { at: { ...at, line: at.line, column: at.column }, remove, insert: "https:", isUnsafe: true };
}

function beginningOf(address: Address | TextAddress, beginning: string) {
  if (!address.element) return address.at();
  const { element, attribute, written } = address;
  if (attribute === undefined) return element.atValue("style", written);
  return element.atValue(attribute, beginning);
}
