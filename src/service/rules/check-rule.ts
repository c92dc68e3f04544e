import { z } from "zod";
import { type RuleKind, ruleKinds, ruleKindSchema } from "../../api/contract/rule-config.js";
import { aliasRefusal } from "../aliases/alias-name.js";
import { forwardRefusal } from "../aliases/forward.js";
import { invalidFields } from "../http/api-error.js";
import { check, Problems } from "../http/validate.js";
import { type PatternChecks, patternRefusal } from "./pattern-check.js";

const settings = z.object({ rank: z.number().optional(), active: z.boolean().optional() });
const newRule = settings.extend({
  type: z.enum(["alias", "regex", "cel"]),
  id: z.guid("must be a UUID").optional(),
});

/** Changes to a rule. Members that are left out stay unchanged. */
export interface RuleChanges {
  readonly kind?: RuleKind;
  readonly rank?: number | undefined;
  readonly active?: boolean | undefined;
}

/** A new rule. The service chooses values for members that are left out. */
export interface NewRule extends RuleChanges {
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
export async function readRuleChanges(
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
