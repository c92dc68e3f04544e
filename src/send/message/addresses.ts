import { domainToASCII } from "node:url";
import { LOCAL_DOMAIN } from "../../api/local.js";
import { Latest } from "../../latest.js";
import { hiddenIn } from "./hidden.js";
import { hasControlCharacters, type Report } from "./report.js";

/**
 * Somebody's address: `"ada@example.com"`, `"Ada Lovelace <ada@example.com>"`, or its two parts, which is the safe form
 * for a name that somebody typed.
 */
export type Address = string | { readonly name?: string | undefined; readonly email: string };

/** RFC 5321, 4.5.3.1; in bytes. */
const LOCAL_PART_MAX = 64;
const ADDRESS_MAX = 254;
const DOMAIN_MAX = 253;
/** RFC 5322, 2.1.1: a header's line. */
const LINE_MAX = 998;

/** Controls, spaces, what is not drawn, and the braille pattern without dots. */
const INVISIBLE = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u;
const ATOM = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~\u0080-\u{10ffff}-]+$/u;
const QUOTED = /^"(?:[^"\\]|\\.)*"$/;
/** What most addresses look like: without a name, and with nothing in them that needs a closer look. */
const USUAL = /^[\w.+-]+@[a-z\d.-]+$/i;
const USUAL_LOCAL_PART = /^[\w+-]+(?:\.[\w+-]+)*$/;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** A name that needs no quotes (RFC 5322, phrase); beyond ASCII the service encodes it. */
const PLAIN_NAME = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~\u0080-\u{10ffff} -]*$/u;

/**
 * One or many addresses as the service takes them; those with a problem are left out.
 *
 * @param check Looks at each that is one.
 */
export function readAddresses(
  value: Address | readonly Address[],
  path: string,
  report: Report,
  check?: (address: string, path: string, report: Report) => void,
): string[] {
  const read = (address: Address, place: string): string[] => {
    const found = readAddress(address, place, report);
    if (found === undefined) return [];
    check?.(found, place, report);
    return [found];
  };
  return isList(value) ? value.flatMap((address, index) => read(address, `${path}[${index}]`)) : read(value, path);
}

function isList(value: Address | readonly Address[]): value is readonly Address[] {
  return Array.isArray(value);
}

/** An address as the service takes it: the domain in ASCII, the name quoted where it must be. */
export function readAddress(value: Address, path: string, report: Report): string | undefined {
  if (typeof value === "string" && USUAL.test(value)) return readEmail(value, path, report);
  const parts = typeof value === "string" ? splitAddress(value, path, report) : readParts(value, path, report);
  if (parts === undefined) return undefined;
  const email = readEmail(parts.email, path, report);
  if (email === undefined) return undefined;
  const hidden = hiddenIn(parts.name);
  if (hidden !== undefined) {
    report(path, `is with a name that ${hidden}`);
    return undefined;
  }
  return parts.name === "" ? email : writeAddress({ name: parts.name, email });
}

/** A name and an address as the service takes them. */
export function writeAddress({ name, email }: Parts): string {
  return `${quoteName(name)} <${email}>`;
}

/** The address alone, of one as the service takes it. */
export function emailOf(address: string): string {
  return address.endsWith(">") ? (/<([^<>]+)>$/.exec(address)?.[1] ?? address) : address;
}

/**
 * What two addresses have in common that lead to the same mailbox: quotes that need not be there, and the ways to write an
 * accent, make no other one. Capitals before the @ might: only the receiving server knows.
 *
 * @param email An address alone, as the service takes it: its domain is in lower case and ASCII.
 */
export function mailboxOf(email: string): string {
  if (USUAL.test(email)) return email;
  const at = email.lastIndexOf("@");
  const localPart = email.slice(0, at);
  const plain = QUOTED.test(localPart) ? localPart.slice(1, -1).replaceAll(/\\(.)/g, "$1") : localPart;
  return plain.normalize("NFC") + email.slice(at);
}

interface Parts {
  readonly name: string;
  readonly email: string;
}

function readParts(value: Exclude<Address, string>, path: string, report: Report): Parts | undefined {
  if (Array.isArray(value)) {
    report(path, "is a list, where one address is taken");
    return undefined;
  }
  const { name = "", email }: { name?: unknown; email?: unknown } = value ?? {};
  if (typeof email !== "string" || typeof name !== "string") {
    report(path, "is neither a text nor { name, email }");
    return undefined;
  }
  if (isTooLong(name + email, path, report) || hasControlCharacters(name + email, path, report)) return undefined;
  return { name: name.trim(), email: email.trim() };
}

function splitAddress(text: string, path: string, report: Report): Parts | undefined {
  if (isTooLong(text, path, report) || hasControlCharacters(text, path, report)) return undefined;
  const named = /^(.*?)\s*<([^<>]*)>$/.exec(text.trim());
  const name = named?.[1] ?? "";
  const email = named?.[2] ?? text.trim();
  if (QUOTED.test(name)) return { name: name.slice(1, -1).replaceAll(/\\(.)/g, "$1"), email };
  if (/[,;]/.test(named === null ? email.replace(/^"(?:[^"\\]|\\.)*"/, "") : name)) {
    report(path, "looks like several addresses: pass them as a list; a name with a comma in it as { name, email }");
    return undefined;
  }
  if (/[<>"]/.test(name)) {
    report(path, "is not an address: pass the name and the address as { name, email }");
    return undefined;
  }
  return { name, email };
}

function isTooLong(text: string, path: string, report: Report): boolean {
  if (text.length <= LINE_MAX) return false;
  report(path, `is longer than a header's line (${LINE_MAX})`);
  return true;
}

function readEmail(email: string, path: string, report: Report): string | undefined {
  const at = email.lastIndexOf("@");
  if (at === -1) {
    report(path, email === "" ? "is empty" : "is not an address: it has no @");
    return undefined;
  }
  const localPart = email.slice(0, at);
  const { domain, isInvisible } = readDomain(email.slice(at + 1));
  const localPartProblem = checkLocalPart(localPart);
  if (localPartProblem !== undefined) report(path, `is not an address: what is before the @ ${localPartProblem}`);
  else if (isInvisible) report(path, "is not an address: what is behind the @ holds an invisible character");
  else if (domain === undefined) report(path, "is not an address: what is behind the @ is not a domain");
  else if (Buffer.byteLength(localPart) + 1 + domain.length > ADDRESS_MAX)
    report(path, `is longer than an address can be (${ADDRESS_MAX})`);
  else return `${localPart}@${domain}`;
  return undefined;
}

function isUsualLocalPart(localPart: string): boolean {
  return localPart.length <= LOCAL_PART_MAX && USUAL_LOCAL_PART.test(localPart);
}

/** What is wrong with a local part, if anything, as the end of a sentence about it. */
function checkLocalPart(localPart: string): string | undefined {
  if (isUsualLocalPart(localPart)) return undefined;
  if (!localPart.split(".").every((atom) => ATOM.test(atom)) && !QUOTED.test(localPart))
    return "holds something that cannot be there";
  if (INVISIBLE.test(localPart.replaceAll(" ", ""))) return "holds an invisible character";
  if (Buffer.byteLength(localPart) > LOCAL_PART_MAX) return `is longer than ${LOCAL_PART_MAX} bytes`;
  return undefined;
}

interface Domain {
  readonly domain: string | undefined;
  /** Whether something in it cannot be seen. */
  readonly isInvisible: boolean;
}

/** Many have their mail at the same few. */
const domains = new Latest<Domain>(1000);

function readDomain(text: string): Domain {
  const known = domains.get(text);
  if (known !== undefined) return known;
  // The joiners are letters' own business (Persian, Sinhala); the others would be dropped in silence.
  const isInvisible = INVISIBLE.test(text.replaceAll(/[ \u200c\u200d]/g, ""));
  const read = { domain: asciiDomain(text), isInvisible };
  domains.set(text, read);
  return read;
}

/** A domain with a dot in it, in lower case and ASCII (`bücher.example` is `xn--bcher-kva.example`); undefined for anything else. */
function asciiDomain(text: string): string | undefined {
  // The URL standard's reading takes more than a domain: percent signs, and numbers as addresses.
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
 * The sender as the service takes it: the local part of an address of the environment's domain (part 4, `from`).
 *
 * @param domain The environment's.
 */
export function readFrom(value: string | undefined, domain: string, report: Report): string | undefined {
  if (value !== undefined && typeof value !== "string") {
    report("from", "is not a text: the service takes the local part of the sender's address alone");
    return undefined;
  }
  if (value === undefined || value === "") {
    report("from", `is missing: the local part of the sender's address, such as "receipts" for receipts@${domain}`);
    return undefined;
  }
  if (isUsualLocalPart(value)) return value;
  if (hasControlCharacters(value, "from", report)) return undefined;
  if (/[<>]/.test(value)) {
    report("from", "has a display name, which the service cannot express: it takes the local part alone");
    return undefined;
  }
  const at = value.lastIndexOf("@");
  const localPart = at === -1 ? value : value.slice(0, at);
  // The local service stands in for any environment.
  const isOther = domain !== LOCAL_DOMAIN && asciiDomain(value.slice(at + 1)) !== (asciiDomain(domain) ?? domain);
  if (at !== -1 && isOther) {
    report("from", `is at another domain than the environment's, ${domain}`);
    return undefined;
  }
  const problem = checkLocalPart(localPart);
  if (problem === undefined) return localPart;
  report("from", `is not the local part of an address: it ${problem}`);
  return undefined;
}
