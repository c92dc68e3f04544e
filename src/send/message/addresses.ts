import { domainToASCII } from "node:url";
import { LOCAL_DOMAIN } from "../../api/local.js";
import { Latest } from "../../cache/memoize.js";
import { hasControlCharacters, hiddenIn, type ReportProblem } from "../report.js";

/**
 * An address: `"ada@example.com"`, `"Ada Lovelace <ada@example.com>"`, or its two parts, which is the safe form for a
 * name that a user typed.
 */
export type Address = string | { readonly name?: string | undefined; readonly email: string };

/** In bytes (RFC 5321, 4.5.3.1). */
const LOCAL_PART_MAX = 64;
const ADDRESS_MAX = 254;
const DOMAIN_MAX = 253;
/** The length of a header line (RFC 5322, 2.1.1). */
const LINE_MAX = 998;

/** Control characters, spaces, characters that are not drawn, and the braille pattern without dots. */
const INVISIBLE = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u;
const ATOM = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~\u0080-\u{10ffff}-]+$/u;
const QUOTED = /^"(?:[^"\\]|\\.)*"$/;
/** What most addresses look like: no name, and nothing that needs a closer look. */
const USUAL = /^[\w.+-]+@[a-z\d.-]+$/i;
const USUAL_LOCAL_PART = /^[\w+-]+(?:\.[\w+-]+)*$/;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** A name that needs no quotes (RFC 5322, phrase); the service encodes characters beyond ASCII. */
const PLAIN_NAME = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~\u0080-\u{10ffff} -]*$/u;

/**
 * One or many addresses in the service's format; invalid ones are reported and left out.
 *
 * @param check Called for each valid address.
 */
export function readAddresses(
  value: Address | readonly Address[],
  path: string,
  report: ReportProblem,
  check?: (address: string, path: string, report: ReportProblem) => void,
): string[] {
  const read = (address: Address, place: string): string[] => {
    const normalized = readAddress(address, place, report);
    if (normalized === undefined) return [];
    check?.(normalized, place, report);
    return [normalized];
  };
  return isList(value) ? value.flatMap((address, index) => read(address, `${path}[${index}]`)) : read(value, path);
}

function isList(value: Address | readonly Address[]): value is readonly Address[] {
  return Array.isArray(value);
}

/** An address in the service's format: the domain in ASCII, the name quoted if necessary. */
export function readAddress(value: Address, path: string, report: ReportProblem): string | undefined {
  if (typeof value === "string" && USUAL.test(value)) return readEmail(value, path, report);
  const parts = typeof value === "string" ? splitAddress(value, path, report) : readParts(value, path, report);
  if (parts === undefined) return undefined;
  const email = readEmail(parts.email, path, report);
  if (email === undefined) return undefined;
  const hidden = hiddenIn(parts.name);
  if (hidden !== undefined) {
    report(path, `has a name that ${hidden}`);
    return undefined;
  }
  return parts.name === "" ? email : writeAddress({ name: parts.name, email });
}

export function writeAddress({ name, email }: Parts): string {
  return `${quoteName(name)} <${email}>`;
}

/**
 * A canonical form that is the same for addresses of the same mailbox: ignores redundant quotes and different encodings
 * of accents. Case before the @ may matter: only the receiving server knows.
 *
 * @param email A bare address in the service's format: its domain is in lower case and ASCII.
 */
export function mailboxOf(email: string): string {
  if (USUAL.test(email)) return email;
  const at = email.lastIndexOf("@");
  const localPart = email.slice(0, at);
  const plain = QUOTED.test(localPart) ? localPart.slice(1, -1).replaceAll(/\\(.)/g, "$1") : localPart;
  return plain.normalize("NFC") + email.slice(at);
}

/** Addresses in the service's format. */
export interface Recipients {
  readonly to: string[];
  readonly cc?: string[];
  readonly bcc?: string[];
}

export function withoutEmpty({ to, cc, bcc }: Required<Recipients>): Recipients {
  return { to, ...(cc.length > 0 && { cc }), ...(bcc.length > 0 && { bcc }) };
}

interface Parts {
  readonly name: string;
  readonly email: string;
}

function readParts(value: Exclude<Address, string>, path: string, report: ReportProblem): Parts | undefined {
  if (Array.isArray(value)) {
    report(path, "is a list; pass one address");
    return undefined;
  }
  const { name = "", email }: { name?: unknown; email?: unknown } = value ?? {};
  if (typeof email !== "string" || typeof name !== "string") {
    report(path, "is neither a string nor { name, email }");
    return undefined;
  }
  if (isTooLong(name + email, path, report) || hasControlCharacters(name + email, path, report)) return undefined;
  return { name: name.trim(), email: email.trim() };
}

function splitAddress(text: string, path: string, report: ReportProblem): Parts | undefined {
  if (isTooLong(text, path, report) || hasControlCharacters(text, path, report)) return undefined;
  const named = /^(.*?)\s*<([^<>]*)>$/.exec(text.trim());
  const name = named?.[1] ?? "";
  const email = named?.[2] ?? text.trim();
  if (QUOTED.test(name)) return { name: name.slice(1, -1).replaceAll(/\\(.)/g, "$1"), email };
  if (/[,;]/.test(named === null ? email.replace(/^"(?:[^"\\]|\\.)*"/, "") : name)) {
    report(
      path,
      "looks like several addresses: pass them as a list, or, if the name has a comma, pass { name, email }",
    );
    return undefined;
  }
  if (/[<>"]/.test(name)) {
    report(path, "is not an address: pass the name and the address as { name, email }");
    return undefined;
  }
  return { name, email };
}

function isTooLong(text: string, path: string, report: ReportProblem): boolean {
  if (text.length <= LINE_MAX) return false;
  report(path, `is longer than a header line may be (${LINE_MAX} characters)`);
  return true;
}

function readEmail(email: string, path: string, report: ReportProblem): string | undefined {
  const at = email.lastIndexOf("@");
  if (at === -1) {
    report(path, email === "" ? "is empty" : "is not an address: it has no @");
    return undefined;
  }
  const localPart = email.slice(0, at);
  const { domain, isInvisible } = readDomain(email.slice(at + 1));
  const localPartProblem = checkLocalPart(localPart);
  if (localPartProblem !== undefined) report(path, `is not an address: the part before the @ ${localPartProblem}`);
  else if (isInvisible) report(path, "is not an address: the part after the @ contains an invisible character");
  else if (domain === undefined) report(path, "is not an address: the part after the @ is not a domain");
  else if (Buffer.byteLength(localPart) + 1 + domain.length > ADDRESS_MAX)
    report(path, `is longer than an address may be (${ADDRESS_MAX} bytes)`);
  else return `${localPart}@${domain}`;
  return undefined;
}

function isUsualLocalPart(localPart: string): boolean {
  return localPart.length <= LOCAL_PART_MAX && USUAL_LOCAL_PART.test(localPart);
}

/** What is wrong with a local part, as a verb phrase; undefined if nothing is. */
function checkLocalPart(localPart: string): string | undefined {
  if (isUsualLocalPart(localPart)) return undefined;
  if (!localPart.split(".").every((atom) => ATOM.test(atom)) && !QUOTED.test(localPart))
    return "contains characters that are not allowed there";
  if (INVISIBLE.test(localPart.replaceAll(" ", ""))) return "contains an invisible character";
  if (Buffer.byteLength(localPart) > LOCAL_PART_MAX) return `is longer than ${LOCAL_PART_MAX} bytes`;
  return undefined;
}

interface Domain {
  readonly domain: string | undefined;
  readonly isInvisible: boolean;
}

/** A cache: many recipients share a few domains. */
const domains = new Latest<Domain>(1000);

function readDomain(text: string): Domain {
  const known = domains.get(text);
  if (known !== undefined) return known;
  // Joiners are part of how Persian or Sinhala is written; other invisible characters would be dropped silently.
  const isInvisible = INVISIBLE.test(text.replaceAll(/[ \u200c\u200d]/g, ""));
  const read = { domain: asciiDomain(text), isInvisible };
  domains.set(text, read);
  return read;
}

/**
 * A domain with a dot in it, in lower case and ASCII (`bücher.example` becomes `xn--bcher-kva.example`); undefined for
 * anything else.
 */
function asciiDomain(text: string): string | undefined {
  // The URL standard accepts more than domains: percent signs, and numbers as IP addresses.
  if (/[%\s]/.test(text)) return undefined;
  const labels = domainToASCII(text).split(".");
  const valid = labels.length > 1 && labels.every((label) => LABEL.test(label)) && !/^\d+$/.test(labels.at(-1) ?? "");
  const domain = labels.join(".");
  return valid && domain.length <= DOMAIN_MAX ? domain : undefined;
}

function quoteName(name: string): string {
  return PLAIN_NAME.test(name) ? name : `"${name.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}

/**
 * The sender in the service's format: the local part of an address at the environment's domain (part 4, `from`).
 *
 * @param domain The environment's domain.
 */
export function readFrom(value: string | undefined, domain: string, report: ReportProblem): string | undefined {
  if (value !== undefined && typeof value !== "string") {
    report("from", "is not a string: pass the part of the sender's address before the @");
    return undefined;
  }
  if (value === undefined || value === "") {
    report(
      "from",
      `is missing: pass the part of the sender's address before the @, such as "receipts" for receipts@${domain}`,
    );
    return undefined;
  }
  if (isUsualLocalPart(value)) return value;
  if (hasControlCharacters(value, "from", report)) return undefined;
  if (/[<>]/.test(value)) {
    report("from", "has a display name, which the service does not support: pass only the part before the @");
    return undefined;
  }
  const at = value.lastIndexOf("@");
  const localPart = at === -1 ? value : value.slice(0, at);
  // The local service replaces any environment.
  const isOther = domain !== LOCAL_DOMAIN && asciiDomain(value.slice(at + 1)) !== (asciiDomain(domain) ?? domain);
  if (at !== -1 && isOther) {
    report("from", `is not at the environment's domain, ${domain}`);
    return undefined;
  }
  const problem = checkLocalPart(localPart);
  if (problem === undefined) return localPart;
  report("from", `is not valid before an @: it ${problem}`);
  return undefined;
}
