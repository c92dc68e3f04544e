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
      message: `${shown(form)} begins with http: ${WHY[address.use]}.`,
      cause: `An address begins with http: ${WHY[address.use]}.`,
      hint: "Write https://.",
      ...(edit && { edits: [edit] }),
    };
  }),
};

const WHY = {
  link: "whoever opens it can be listened to, and browsers warn of it",
  image: "several mail clients don't load it",
  background: "several mail clients don't load it",
  resource: "several mail clients don't load it",
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
