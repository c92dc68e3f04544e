import { nearest } from "../../text/nearest.js";
import type { DomainRecord } from "../store/domains.js";
import type { Store } from "../store/store.js";
import type { Envelope, Refusal } from "./receive.js";

/** Maximum number of names in a list. */
const LISTED = 10;

/** What is available instead of the domain or address that a test's email was refused for, as a sentence. */
export function hintFor(
  { recipients }: Envelope,
  { message }: Refusal,
  store: Pick<Store, "domains" | "aliases">,
): string | undefined {
  for (const address of recipients) {
    const name = address.slice(address.lastIndexOf("@") + 1);
    const domain = store.domains.findAnywhere(name)?.domain;
    if (!domain) return otherDomains(name, store.domains.names(LISTED));
    if (message.startsWith("5.1.1")) return otherAddresses(domain, store);
  }
  return undefined;
}

function otherDomains(name: string, names: readonly string[]): string {
  const near = nearest(name, names);
  return near === undefined ? `Its domains: ${names.join(", ")}.` : `Did you mean ${near}?`;
}

function otherAddresses({ id, name, routingEngine }: DomainRecord, { aliases }: Pick<Store, "aliases">): string {
  if (routingEngine === "rules") return `No active rule of ${name} matches, and it has no rules_fallback_email.`;
  const { rows } = aliases.list(id, {}, { order: "name_asc", limit: LISTED, page: 1 });
  if (rows.length === 0) return `${name} has no aliases: create one, with the API or in the seed.`;
  return `Aliases of ${name}: ${rows.map(({ alias }) => alias).join(", ")}.`;
}
