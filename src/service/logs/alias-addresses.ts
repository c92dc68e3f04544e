import { domainOf, localPartKey, localPartOf } from "../address.js";
import { asRegexAlias } from "../alias-fields.js";
import { compileRegex } from "../patterns/regex.js";
import { domainKey, type DomainRecord } from "../store/domains.js";
import { ALL } from "../store/page.js";
import type { Store } from "../store/store.js";

/**
 * The domain's addresses in the log that belong to an alias, as written: those with its name, ignoring case; for a
 * regular expression, which must be an alias of the domain, those that match; for `*`, those without another alias.
 */
export function aliasAddresses(store: Pick<Store, "aliases" | "logs">, domain: DomainRecord, alias: string): string[] {
  const { id, name } = domain;
  const inLog = store.logs.addresses(id).filter((address) => domainKey(domainOf(address)) === name);
  if (alias !== "*") {
    const exists = asRegexAlias(alias) === undefined || store.aliases.findByName(id, alias) !== undefined;
    return exists ? inLog.filter(ownerOf(alias)) : [];
  }
  const owners = store.aliases
    .list(id, {}, { ...ALL, order: "name_asc" })
    .rows.filter((other) => other.alias !== "*")
    .map((other) => ownerOf(other.alias));
  return inLog.filter((address) => !owners.some((owns) => owns(address)));
}

/** Whether an address belongs to an alias. Regular expressions match the local part as written, as in routing. */
function ownerOf(alias: string): (address: string) => boolean {
  const regex = asRegexAlias(alias);
  if (regex === undefined) return (address) => localPartKey(localPartOf(address)) === localPartKey(alias);
  const matches = compileRegex(regex);
  return (address) => matches(localPartOf(address));
}
