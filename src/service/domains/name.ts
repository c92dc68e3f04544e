import { domainKey } from "../store/domains.js";

const NAME_MAX = 253;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * A domain name as it is stored, in lower case and ASCII. Undefined for anything else: a bare host, an IP address, a
 * name with a port, an email address.
 *
 * @example
 * readDomainName("Bücher.example"); // "xn--bcher-kva.example"
 */
export function readDomainName(text: string): string | undefined {
  // Characters with a meaning in URLs would be cut off or decoded rather than refused.
  if (/[\s[\]:/?#@\\%]/u.test(text)) return undefined;
  const name = domainKey(text);
  const labels = name.split(".");
  const isName = labels.length > 1 && labels.every((label) => LABEL.test(label)) && !/^\d+$/.test(labels.at(-1) ?? "");
  return isName && name.length <= NAME_MAX ? name : undefined;
}
