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
 * Adds content that the domain does not have yet.
 *
 * @returns What differs from the seed and was left unchanged.
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
  const keep = (what: string) =>
    kept.push(`The ${what} of ${domain.name} differs from the seed and was left unchanged.`);

  for (const template of seed.templates) {
    const wanted: TemplateFields = { description: "", subject: "", html_body: "", text_body: "", ...template };
    const existing = store.templates.find(domain.id, template.name);
    if (!existing) store.templates.create(domain.id, wanted, clock.now());
    else if (!hasMembers(existing, template)) keep(`template ${template.name}`);
  }
  for (const alias of seed.aliases) {
    const existing = store.aliases.findByName(domain.id, alias.alias);
    if (!existing) addAlias(context, account, domain.id, alias);
    else if (existing.forward !== alias.forward) keep(`alias ${alias.alias}`);
  }
  const rules = store.rules.list(domain.id, undefined, { ...ALL, order: "rank_asc" }).rules;
  for (const { type, config, id, rank, active } of seed.rules) {
    const kind = ruleKindSchema.parse({ type, config });
    const existing =
      id === undefined ? rules.find((rule) => isDeepStrictEqual(rule.kind, kind)) : store.rules.find(domain.id, id);
    if (!existing) addRule(context, account, domain.id, { kind, id, rank, active });
    else if (!isDeepStrictEqual(existing.kind, kind) || !hasMembers(existing, { rank, active }))
      keep(`rule ${existing.id}`);
  }
  for (const { username } of seed.credentials) {
    const password = passwords.get(credentialKey(domain.name, username));
    if (password?.hash !== undefined) store.credentials.create(domain.id, username, password.hash, clock.now());
    else if (password?.differs) keep(`password of the credential ${username}`);
  }
  return kept;
}

/** Whether a record matches the seed in every member that the seed has. */
export function hasMembers<Item extends object>(
  existing: Item,
  expected: { readonly [Key in keyof Item]?: Item[Key] | undefined },
): boolean {
  return Object.entries(expected).every(
    ([key, value]) => value === undefined || isDeepStrictEqual(Reflect.get(existing, key), value),
  );
}
