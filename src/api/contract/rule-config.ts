import { z } from "zod";
import { openEnum, undocumented, type Unlisted, unlistedValue } from "./open-enum.js";

/** The destinations: comma-separated addresses and webhooks. */
const forward = z.string();

export const ruleScopeSchema = z.enum(["sender", "recipient", "subject", "body"]);

/** A rule for one alias. */
export const aliasRuleConfig = z.object({ alias: z.string(), forward });

/** A rule for emails in which a regular expression matches one of the parts in `scopes`. */
export const regexRuleConfig = z.object({ regex: z.string(), scopes: z.array(ruleScopeSchema), forward });

/** A rule for emails for which a CEL expression is true. */
export const celRuleConfig = z.object({ expression: z.string(), forward });

/** A rule's type with its configuration (part 2 of both documents). */
export const ruleKinds = [
  z.object({ type: z.literal("alias"), config: aliasRuleConfig }),
  z.object({ type: z.literal("regex"), config: regexRuleConfig }),
  z.object({ type: z.literal("cel"), config: celRuleConfig }),
] as const;

export const ruleKindSchema = z.discriminatedUnion("type", ruleKinds);

/** A rule of any type in a request, with further fields. */
export function ruleOf<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const [alias, regex, cel] = ruleKinds;
  return z.discriminatedUnion("type", [alias.extend(shape), regex.extend(shape), cel.extend(shape)]);
}

const answeredRegexConfig = regexRuleConfig.extend({ scopes: z.array(openEnum(ruleScopeSchema.options)) });
const unlistedConfig = z.record(z.string(), z.unknown()).brand<"UnlistedRuleConfig">();
const unlistedType = unlistedValue(ruleKinds.map(({ shape }) => shape.type.value));

/** A rule of any type in an answer, including undocumented types. */
export function answeredRuleOf<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const [alias, regex, cel] = ruleKinds;
  const answeredRegex = regex.extend({ config: answeredRegexConfig });
  return z.union([
    z.discriminatedUnion("type", [alias.extend(shape), answeredRegex.extend(shape), cel.extend(shape)]),
    z.object({ type: unlistedType, config: unlistedConfig }).extend(shape).register(undocumented, {}),
  ]);
}

/** A configuration without its type, for updates. */
export const ruleConfigSchema = z.union([regexRuleConfig, celRuleConfig, aliasRuleConfig]);

export type RuleScope = z.infer<typeof ruleScopeSchema>;
export type RuleKind = z.infer<typeof ruleKindSchema>;
export type RuleConfig = z.infer<typeof ruleConfigSchema>;
/** The configuration of a rule of an undocumented type. */
export type UnlistedRuleConfig = z.infer<typeof unlistedConfig>;
/** A rule's type and configuration in an answer. */
export type AnsweredRuleKind =
  | { type: "alias"; config: z.infer<typeof aliasRuleConfig> }
  | { type: "regex"; config: z.infer<typeof answeredRegexConfig> }
  | { type: "cel"; config: z.infer<typeof celRuleConfig> }
  | { type: Unlisted; config: UnlistedRuleConfig };
