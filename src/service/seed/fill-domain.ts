import { isDeepStrictEqual } from "node:util";
import { ruleKindSchema } from "../../api/contract/rule-config.js";
import { addAlias } from "../aliases/changes.js";
import type { ServiceContext } from "../context.js";
import { addRule } from "../rules/changes.js";
import type { AccountRecord } from "../store/accounts.js";
import type { DomainRecord } from "../store/domains.js";
import { ALL } from "../store/page.js";
import type { TemplateFields } from "../store/templates.js";
import { credentialKey, type HashedPasswords } from "./passwords.js";
import type { ReadDomain } from "./schema.js";

/**
 * Adds what of a domain's contents is not there yet.
 *
 * @returns What it left alone although the seed says something else.
 * @throws ApiError (400) for more than the plan allows.
 */
export function fillDomain(
  seed: ReadDomain,
  domain: DomainRecord,
  account: AccountRecord,
  passwords: HashedPasswords,
  context: ServiceContext,
): string[] {
  const { store, clock } = context;
  const kept: string[] = [];
  const keep = (what: string) => kept.push(`The ${what} of ${domain.name} stays as it is.`);

  for (const template of seed.templates) {
    const wanted: TemplateFields = { description: "", subject: "", html_body: "", text_body: "", ...template };
    const found = store.templates.find(domain.id, template.name);
    if (!found) store.templates.create(domain.id, wanted, clock.now());
    else if (!hasMembers(found, template)) keep(`template ${template.name}`);
  }
  for (const alias of seed.aliases) {
    const found = store.aliases.findByName(domain.id, alias.alias);
    if (!found) addAlias(context, account, domain.id, alias);
    else if (found.forward !== alias.forward) keep(`alias ${alias.alias}`);
  }
  const rules = store.rules.list(domain.id, undefined, { ...ALL, order: "rank_asc" }).rules;
  for (const { type, config, id, rank, active } of seed.rules) {
    const kind = ruleKindSchema.parse({ type, config });
    const found =
      id === undefined ? rules.find((rule) => isDeepStrictEqual(rule.kind, kind)) : store.rules.find(domain.id, id);
    if (!found) addRule(context, account, domain.id, { kind, id, rank, active });
    else if (!isDeepStrictEqual(found.kind, kind) || !hasMembers(found, { rank, active })) keep(`rule ${found.id}`);
  }
  for (const { username } of seed.credentials) {
    const password = passwords.get(credentialKey(domain.name, username));
    if (password?.hash !== undefined) store.credentials.create(domain.id, username, password.hash, clock.now());
    else if (password?.differs) keep(`password of the credential ${username}`);
  }
  return kept;
}

/** Whether a record has every member that the seed gives, as the seed gives it. */
export function hasMembers<Item extends object>(
  found: Item,
  given: { readonly [Key in keyof Item]?: Item[Key] | undefined },
): boolean {
  return Object.entries(given).every(
    ([key, value]) => value === undefined || isDeepStrictEqual(Reflect.get(found, key), value),
  );
}
