import { localPartKey } from "../address.js";
import { asRegexAlias } from "../alias-fields.js";
import { compileRegex } from "../patterns/regex.js";
import type { DomainRecord } from "../store/domains.js";
import { ALL } from "../store/page.js";
import type { Store } from "../store/store.js";

/**
 * The domain's addresses that belong to an alias, in lower case: its own address; for a regular expression, which must
 * be an alias of the domain, all addresses in the log that match; for `*`, all addresses in the log without another
 * alias.
 */
export function aliasAddresses(store: Pick<Store, "aliases" | "logs">, domain: DomainRecord, alias: string): string[] {
  const { id, name } = domain;
  if (alias !== "*" && asRegexAlias(alias) === undefined) return [`${localPartKey(alias)}@${name}`];
  const inLog = store.logs.addressesAt(id, name);
  if (alias !== "*") return store.aliases.findByName(id, alias) ? inLog.filter(ownerOf(alias, name)) : [];
  const owners = store.aliases
    .list(id, {}, { ...ALL, order: "name_asc" })
    .rows.filter((other) => other.alias !== "*")
    .map((other) => ownerOf(other.alias, name));
  return inLog.filter((address) => !owners.some((owns) => owns(address)));
}

/** Whether an address belongs to an alias. Regular expressions match the local part. */
function ownerOf(alias: string, domain: string): (address: string) => boolean {
  const regex = asRegexAlias(alias);
  if (regex === undefined) return (address) => address === `${localPartKey(alias)}@${domain}`;
  const matches = compileRegex(regex);
  return (address) => matches(address.slice(0, -`@${domain}`.length));
}
