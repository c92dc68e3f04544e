import { domainOf, localPartKey, localPartOf } from "../address.js";
import { asRegexAlias } from "../alias-fields.js";
import { compileRegex } from "../patterns/regex.js";
import { domainKey, type DomainRecord } from "../store/domains.js";
import { ALL } from "../store/page.js";
import type { Store } from "../store/store.js";

/** An address of the domain that is in the log. */
interface LoggedAddress {
  readonly address: string;
  readonly localPart: string;
  /** The local part as names of aliases are compared. */
  readonly key: string;
}

/**
 * The domain's addresses in the log that belong to an alias, as written: those with its name, ignoring case; for a
 * regular expression, which must be an alias of the domain, those that match; for `*`, those without another alias.
 */
export function aliasAddresses(store: Pick<Store, "aliases" | "logs">, domain: DomainRecord, alias: string): string[] {
  const exists = alias === "*" || asRegexAlias(alias) === undefined || store.aliases.findByName(domain.id, alias);
  if (!exists) return [];
  const logged = store.logs
    .addresses(domain.id)
    .filter((address) => domainKey(domainOf(address)) === domain.name)
    .map((address) => ({ address, localPart: localPartOf(address), key: localPartKey(localPartOf(address)) }));
  const owns = alias === "*" ? withoutOwner(store, domain) : ownerOf(alias);
  return logged.filter(owns).map(({ address }) => address);
}

function withoutOwner({ aliases }: Pick<Store, "aliases">, { id }: DomainRecord): (logged: LoggedAddress) => boolean {
  const { rows } = aliases.list(id, {}, { ...ALL, order: "name_asc" });
  const owners = rows.filter(({ alias }) => alias !== "*").map(({ alias }) => ownerOf(alias));
  return (logged) => !owners.some((owns) => owns(logged));
}

/** Whether an address belongs to an alias. Regular expressions match the local part as written, as in routing. */
function ownerOf(alias: string): (logged: LoggedAddress) => boolean {
  const regex = asRegexAlias(alias);
  if (regex === undefined) {
    const name = localPartKey(alias);
    return ({ key }) => key === name;
  }
  const matches = compileRegex(regex);
  return ({ localPart }) => matches(localPart);
}
