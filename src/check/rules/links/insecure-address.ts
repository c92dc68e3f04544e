import type { Edit } from "../../../diagnostic.js";
import type { Rule } from "../../rule.js";
import { hostOf } from "./address-parts.js";
import { forEachAddress, shown } from "./address-rule.js";
import type { Address } from "./addresses.js";
import type { AddressBeside } from "./addresses-beside.js";
import { whyPrivate } from "./private-hosts.js";

export const insecureAddress: Rule = {
  id: "insecure-address",
  summary: "An address begins with http instead of https.",
  severity: "warning",
  checkTemplate: forEachAddress((form, address) => {
    if (!isInsecure(form)) return undefined;
    const edit = editOf(address);
    return {
      message: WHY[address.use],
      hint: `Write \`${shown(form.replace(/^http:/i, "https:"))}\`.`,
      ...(edit && { edits: [edit] }),
    };
  }),
};

const UNLOADED = "begins with http: several mail clients don't load it.";

const WHY = {
  link: "The link begins with http: whoever opens it can be listened to, and browsers warn of it.",
  image: `The image's address ${UNLOADED}`,
  background: `The image's address ${UNLOADED}`,
  resource: `The file's address ${UNLOADED}`,
} as const;

function isInsecure(form: string): boolean {
  if (!/^http:\/\/[^\s/]/i.test(form) || /^http:\/\/https?[:/]/i.test(form)) return false;
  const host = hostOf(form);
  return host === undefined || whyPrivate(host) === undefined;
}

/** Only where the source has a text that begins with http. */
function editOf(address: Address | AddressBeside): Edit | undefined {
  const written = address.element ? address.written : address.form;
  const remove = written.slice(0, "http:".length);
  const at = /^http:$/i.test(remove) ? address.begins(remove) : undefined;
  // The server may have no https.
  return at && { at, remove, insert: "https:", isUnsafe: true };
}
