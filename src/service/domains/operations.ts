import type { domainChangesSchema as changesV3 } from "../../api/contract/v3/domains.js";
import type { domainChangesSchema as changesV4 } from "../../api/contract/v4/domains.js";
import { invalidFields } from "../http/api-error.js";
import type { ServiceContext } from "../context.js";
import { findOwnDomain } from "../http/own-domain.js";
import { refuseOverLimit } from "../account/plan.js";
import type { AccountRecord } from "../store/accounts.js";
import type { DomainRecord } from "../store/domains.js";
import { readDomainChanges, readNewDomain } from "./settings.js";

/**
 * Adds a domain. It is ready after its DNS was checked, or at once if every domain is treated as set up.
 *
 * @throws ApiError (400) for an invalid body, a name that is taken, or more domains than the plan allows.
 */
export function addDomain(
  { store, clock, dns }: ServiceContext,
  account: AccountRecord,
  body: Record<string, unknown>,
): DomainRecord {
  const { name, settings } = readNewDomain(body);
  const ready = dns === "ready";
  return store.transaction(() => {
    const domain = store.domains.create(account.id, name, { forwarding: ready, sending: ready }, settings, clock.now());
    if (!domain) throw invalidFields({ domain: ["domain is already added, to this account or another"] });
    refuseOverLimit(account, "domains_limit", store.domains.count(account.id) - 1);
    return domain;
  });
}

/**
 * Changes the settings of a domain that are in the body.
 *
 * @throws ApiError: 400 for an invalid body, 404 if the domain was deleted meanwhile.
 */
export function changeDomain(
  { store, clock }: ServiceContext,
  account: AccountRecord,
  name: string,
  schema: typeof changesV3 | typeof changesV4,
  body: Record<string, unknown>,
): DomainRecord {
  const settings = readDomainChanges(schema, body, name);
  return store.domains.update(findOwnDomain(store, account, name), settings, clock.now());
}

/** Deletes a domain with its templates, aliases, rules, credentials, log entries and captured emails. */
export function deleteDomain({ store }: ServiceContext, domain: DomainRecord): void {
  store.domains.delete(domain.id);
}
