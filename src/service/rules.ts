import { randomUUID } from "node:crypto";
import { z } from "zod";
import { type Rule, type RuleKind, ruleKinds, ruleKindSchema } from "../api/contract/v4/rules.js";
import { refuseOverLimit } from "./account.js";
import { aliasRefusal, forwardRefusal } from "./alias-fields.js";
import type { ServiceContext } from "./context.js";
import type { HandlersV4 } from "./endpoints.js";
import { badRequest, invalidFields, notFound } from "./http/api-error.js";
import { asObject, batchAnswer, type BatchOutcome, readEntries, readId, runBatch } from "./http/batch.js";
import { requireAll } from "./http/request.js";
import { check, Problems } from "./http/validate.js";
import { isoSeconds } from "./ids.js";
import { type PatternChecks, patternRefusal, withinRequest } from "./patterns/patterns.js";
import type { AccountRecord } from "./store/accounts.js";
import type { RuleRecord, RuleStore } from "./store/rules.js";

/**
 * The domain's rule with this id.
 *
 * @throws ApiError (404) if there is none.
 */
export function findRule(rules: RuleStore, domainId: number, id: string): RuleRecord {
  const rule = rules.find(domainId, id);
  if (!rule) throw notFound("There is no such rule on the domain.");
  return rule;
}

/**
 * Adds a rule to a domain, ranked after all active rules unless it has a rank.
 *
 * @throws ApiError (400) if its id is taken, if no higher rank exists, or if the account has reached its plan's limit.
 */
export function addRule(
  { store, clock }: ServiceContext,
  account: AccountRecord,
  domainId: number,
  rule: NewRule,
): RuleRecord {
  const { kind, id = randomUUID(), active = true } = rule;
  if (store.rules.isTaken(id)) throw invalidFields({ id: ["id is already taken by another rule"] });
  refuseOverLimit(account, "rules_limit", store.rules.count(account.id));
  const rank = rule.rank ?? rankAfter(store.rules.highestRank(domainId));
  return store.rules.create(domainId, { id, kind, rank, active }, clock.now());
}

/** The rank plus one, or the next representable number if that is further away. */
function rankAfter(highest = 0): number {
  const rank = highest + Math.max(1, Math.abs(highest) * Number.EPSILON);
  if (rank === Infinity)
    throw invalidFields({ rank: ["rank is required: another rule has the highest possible rank"] });
  return rank;
}

/**
 * Changes one of the domain's rules. What its configuration must contain depends on the rule, so a missing rule is
 * reported first.
 *
 * @throws ApiError: 404 if there is no such rule, 400 with every invalid field.
 */
export async function updateRule(
  context: ServiceContext,
  domainId: number,
  id: string,
  body: Record<string, unknown>,
): Promise<RuleRecord> {
  const { rules } = context.store;
  const { kind } = findRule(rules, domainId, id);
  const changes = await readRuleChanges(kind.type, body, context.patterns, "required");
  return changeRule(context, findRule(rules, domainId, id), changes);
}

/** Changes a rule. Its type and id stay. */
function changeRule({ store, clock }: ServiceContext, rule: RuleRecord, changes: RuleChanges): RuleRecord {
  const { kind = rule.kind, rank = rule.rank, active = rule.active } = changes;
  return store.rules.update(rule.seq, { kind, rank, active }, clock.now());
}

const settings = z.object({ rank: z.number().optional(), active: z.boolean().optional() });
const newRule = settings.extend({
  type: z.enum(["alias", "regex", "cel"]),
  id: z.guid("must be a UUID").optional(),
});

/** Changes to a rule. Members that are left out stay unchanged. */
interface RuleChanges {
  readonly kind?: RuleKind;
  readonly rank?: number | undefined;
  readonly active?: boolean | undefined;
}

/** A new rule. The service chooses values for members that are left out. */
interface NewRule extends RuleChanges {
  readonly kind: RuleKind;
  readonly id?: string | undefined;
}

type Body = Readonly<Record<string, unknown>>;

/**
 * Reads the fields of a new rule.
 *
 * @throws ApiError (400) with every missing or invalid field. For a pattern that does not compile, the message contains
 * the place.
 */
export async function readNewRule(body: Body, patterns: PatternChecks): Promise<NewRule> {
  const problems = new Problems();
  const fields = check(newRule, body, problems);
  // For an unknown type, only the presence of the configuration can be checked.
  const kind = await readKind(newRule.shape.type.safeParse(body["type"]).data, body, patterns, problems);
  if (!fields || !kind) throw invalidFields(problems.errors);
  return { kind, rank: fields.rank, active: fields.active, id: fields.id };
}

/**
 * Reads changes to a rule of this type. The configuration is checked if it is present or required.
 *
 * @throws ApiError (400), as for a new rule.
 */
async function readRuleChanges(
  type: RuleKind["type"],
  body: Body,
  patterns: PatternChecks,
  config: "required" | "optional",
): Promise<RuleChanges> {
  const problems = new Problems();
  const fields = check(settings, body, problems);
  const isGiven = config === "required" || body["config"] !== undefined;
  const kind = isGiven ? await readKind(type, body, patterns, problems) : undefined;
  if (!fields || problems.found) throw invalidFields(problems.errors);
  return { ...fields, ...(kind && { kind }) };
}

/** Reads the configuration of a rule of this type. Errors are added to the problems. */
async function readKind(
  type: RuleKind["type"] | undefined,
  { config }: Body,
  patterns: PatternChecks,
  problems: Problems,
): Promise<RuleKind | undefined> {
  const schema = ruleKinds.find(({ shape }) => shape.type.value === type)?.shape.config ?? z.object({});
  if (!check(z.object({ config: schema }), { config }, problems) || type === undefined) return undefined;
  const kind = ruleKindSchema.parse({ type, config });
  const refusals = [...(await contentRefusals(kind, patterns)), ["forward", forwardRefusal(kind.config.forward)]];
  for (const [member, refusal] of refusals) {
    if (refusal !== undefined) problems.add("config", `config.${member} ${refusal}`);
  }
  return problems.has("config") ? undefined : kind;
}

type MemberRefusal = readonly [member: string, refusal: string | undefined];

async function contentRefusals(kind: RuleKind, patterns: PatternChecks): Promise<MemberRefusal[]> {
  if (kind.type === "alias") return [["alias", await aliasRefusal(kind.config.alias, patterns)]];
  const refusal = await patternRefusal(kind, patterns);
  if (kind.type === "cel") return [["expression", refusal]];
  const { scopes } = kind.config;
  return [
    ["regex", refusal],
    ["scopes", scopes.length === 0 ? "must name at least one of sender, recipient, subject and body" : undefined],
    ["scopes", new Set(scopes).size < scopes.length ? "contains a duplicate" : undefined],
  ];
}

/**
 * Reads an entry that updates one of the domain's rules: its id and at least one of `config`, `rank` and `active`.
 *
 * @throws ApiError (400, or 404 if the domain has no such rule).
 */
async function readRuleUpdate(
  rules: RuleStore,
  domainId: number,
  entry: Record<string, unknown>,
  patterns: PatternChecks,
): Promise<{ readonly id: string; readonly changes: RuleChanges }> {
  const id = readId(entry);
  const { kind } = findRule(rules, domainId, id);
  const changes = await readRuleChanges(kind.type, entry, patterns, "optional");
  if (Object.keys(changes).length === 0) throw badRequest("The entry has no fields to update.");
  return { id, changes };
}

/** Version 4's endpoints. Batches are the same in both versions. */
export function ruleHandlers(context: ServiceContext): HandlersV4<"rules"> {
  const { store } = context;
  const { rules } = store;
  return {
    "rules.list": ({ domain, query }) => {
      const { order, limit, page, query: part } = query();
      const { rows, total } = rules.list(domain.id, part, { order, limit, page });
      return { rules: rows.map(ruleV4), limit, page, total };
    },
    "rules.get": ({ domain, parameters }) => ({ rule: ruleV4(findRule(rules, domain.id, parameters.rule)) }),
    "rules.create": async ({ account, domain, body }) => {
      const fields = await readNewRule(await body(), context.patterns);
      return { rule: ruleV4(addRule(context, account, domain.id, fields)) };
    },
    "rules.update": async ({ domain, parameters, body }) => ({
      rule: ruleV4(await updateRule(context, domain.id, parameters.rule, await body())),
    }),
    "rules.delete": ({ domain, parameters }) => {
      rules.delete(findRule(rules, domain.id, parameters.rule).seq);
      return undefined;
    },
    "rules.deleteAll": ({ domain, rawQuery }) => {
      requireAll(rawQuery());
      return { deleted: rules.deleteAll(domain.id) };
    },
    "rules.createMany": async ({ account, domain, body }) => {
      const outcome = await addRules(context, account, domain.id, readEntries(await body(), "rules"));
      return batchAnswer("added", { ...outcome, done: outcome.done.map(ruleV4) });
    },
    "rules.updateMany": async ({ domain, body }) => {
      const outcome = await changeRules(context, domain.id, readEntries(await body(), "rules"));
      return batchAnswer("updated", { ...outcome, done: outcome.done.map(ruleV4) });
    },
    "rules.deleteMany": async ({ domain, body }) => {
      const ids = readEntries(await body(), "ids").map((id) => ({ id }));
      const outcome = await deleteRules(context, domain.id, ids);
      return batchAnswer("deleted", { ...outcome, done: outcome.done.map(({ id }) => id) });
    },
  };
}

/** Adds rules, each independently of the others. Entries may have any form. */
export function addRules(
  context: ServiceContext,
  account: AccountRecord,
  domainId: number,
  entries: readonly unknown[],
): Promise<BatchOutcome<RuleRecord>> {
  const patterns = withinRequest(context.patterns);
  return runBatch(
    entries,
    (entry) => readNewRule(asObject(entry), patterns),
    (fields) => addRule(context, account, domainId, fields),
    context.store,
  );
}

/** Changes the rules with the entries' ids. */
export function changeRules(
  context: ServiceContext,
  domainId: number,
  entries: readonly unknown[],
): Promise<BatchOutcome<RuleRecord>> {
  const { rules } = context.store;
  const patterns = withinRequest(context.patterns);
  return runBatch(
    entries,
    (entry) => readRuleUpdate(rules, domainId, asObject(entry), patterns),
    ({ id, changes }) => changeRule(context, findRule(rules, domainId, id), changes),
    context.store,
  );
}

/** Deletes the rules with the entries' ids. */
export function deleteRules(
  { store }: ServiceContext,
  domainId: number,
  entries: readonly unknown[],
): Promise<BatchOutcome<RuleRecord>> {
  return runBatch(
    entries,
    (entry) => readId(asObject(entry)),
    (id) => {
      const rule = findRule(store.rules, domainId, id);
      store.rules.delete(rule.seq);
      return rule;
    },
    store,
  );
}

function ruleV4({ id, kind, rank, active, createdAt, updatedAt }: RuleRecord): Rule {
  return { id, ...kind, rank, active, created_at: isoSeconds(createdAt), updated_at: isoSeconds(updatedAt) };
}
