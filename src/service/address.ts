import { domainToASCII } from "node:url";
import type { Mailbox } from "./store/log-rows.js";

const LOCAL_PART_MAX = 64;
export const ADDRESS_MAX = 254;
/** With its display name: the maximum length of a header line. */
const MAILBOX_MAX = 998;

/** An atom as in RFC 5322, plus any non-ASCII letter as in RFC 6531. */
const ATOM = /[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+/u.source;
const LOCAL_PART = new RegExp(`^${ATOM}(?:\\.${ATOM})*$`, "u");
const DOMAIN_LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;

/** `Ada Lovelace <ada@example.com>` or `"Lovelace, Ada" <ada@example.com>`. */
const NAMED = /^(?:"((?:[^"\\\p{Cc}]|\\[^\p{Cc}])*)" *|([^"<>@,;:\\\p{Cc}]*))<([^<>\s]+)>$/u;

/** One address, with or without a display name. Undefined for anything else, including lists. */
export function parseAddress(text: string): Mailbox | undefined {
  const trimmed = text.trim();
  if (trimmed.length > MAILBOX_MAX) return undefined;
  const [, quoted, plain, bracketed] = NAMED.exec(trimmed) ?? [];
  const email = bracketed ?? trimmed;
  if (!isEmailAddress(email)) return undefined;
  const name = quoted?.replace(/\\(.)/gu, "$1") ?? plain ?? "";
  return { email, name: name.trim() === "" ? null : name.trim() };
}

/** A local part as it is compared: without case, and in one of Unicode's forms. */
export function localPartKey(localPart: string): string {
  return localPart.normalize("NFC").toLowerCase();
}

/** The part of an address before the `@`. */
export function localPartOf(email: string): string {
  return email.slice(0, Math.max(email.lastIndexOf("@"), 0));
}

/** The part of an address after the `@`. */
export function domainOf(email: string): string {
  return email.slice(email.lastIndexOf("@") + 1);
}

/** Whether a string is an unquoted local part, that is, the part before the `@`. */
export function isLocalPart(text: string): boolean {
  return text.length <= LOCAL_PART_MAX && LOCAL_PART.test(text);
}

/** Whether a string is one address without a display name. */
export function isEmailAddress(text: string): boolean {
  return text.length <= ADDRESS_MAX && isLocalPart(localPartOf(text)) && isDomain(domainOf(text));
}

/** A full domain name, including international ones, but not a bare host or an IP address. */
function isDomain(text: string): boolean {
  if (/[\s[\]:/?#@\\%]/u.test(text)) return false;
  const labels = domainToASCII(text).split(".");
  return labels.length > 1 && labels.every((label) => DOMAIN_LABEL.test(label)) && !/^\d+$/.test(labels.at(-1) ?? "");
}

/**
 * Whether a string is an http or https URL that would be requested exactly as written: URL parsers drop or encode other
 * characters.
 */
export function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^\s\p{Cc}\p{Surrogate}]+$/iu.test(text) && URL.canParse(text);
}
