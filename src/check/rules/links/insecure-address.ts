import type { Edit } from "../../../diagnostic.js";
import type { Rule } from "../../rule.js";
import { hostOf } from "./address-parts.js";
import { forEachAddress, shown } from "./address-rule.js";
import type { Address, TextAddress } from "./addresses.js";
import { whyPrivate } from "./private-hosts.js";

export const insecureAddress: Rule = {
  id: "insecure-address",
  summary: "An address begins with http instead of https.",
  severity: "warning",
  checkTemplate: forEachAddress((form, address) => {
    if (!isInsecure(form)) return undefined;
    const why =
      address.use === "link"
        ? "whoever opens it can be listened to, and browsers warn of it"
        : "several mail clients don't load it";
    const edit = editOf(address);
    return {
      message: `${shown(form)} begins with http: ${why}.`,
      cause: `An address begins with http: ${why}.`,
      hint: "Write https://.",
      ...(edit && { edits: [edit] }),
    };
  }),
};

function isInsecure(form: string): boolean {
  if (!/^http:\/\/[^\s/]/i.test(form) || /^http:\/\/https?[:/]/i.test(form)) return false;
  const host = hostOf(form);
  return host === undefined || whyPrivate(host) === undefined;
}

/** Only where the source has a text that begins with http. */
function editOf(address: Address | TextAddress): Edit | undefined {
  const [remove] = /^http:/i.exec(address.written) ?? [];
  const at = remove === undefined ? undefined : beginningOf(address, remove);
  if (remove === undefined || at?.line === undefined || at.column === undefined) return undefined;
  // The server may have no https.
  return { at: { ...at, line: at.line, column: at.column }, remove, insert: "https:", isUnsafe: true };
}

function beginningOf(address: Address | TextAddress, beginning: string) {
  if (!address.element) return address.at();
  const { element, attribute, written } = address;
  if (attribute === undefined) return element.atValue("style", written);
  return element.atValue(attribute, written) ?? element.atBeginning(attribute, beginning);
}
