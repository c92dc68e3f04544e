import { z } from "zod";

/** Where to: comma-separated addresses and webhooks. */
const forward = z.string();

export const ruleScopeSchema = z.enum(["sender", "recipient", "subject", "body"]);

/** A rule for one alias. */
export const aliasRuleConfig = z.object({ alias: z.string(), forward });

/** A rule for whatever a regular expression finds in the parts of a mail that `scopes` names. */
export const regexRuleConfig = z.object({ regex: z.string(), scopes: z.array(ruleScopeSchema), forward });

/** A rule for the mails of which a CEL expression is true. */
export const celRuleConfig = z.object({ expression: z.string(), forward });

/** A rule's type with the configuration that belongs to it (part 2 of both documents). */
export const ruleKinds = [
  z.object({ type: z.literal("alias"), config: aliasRuleConfig }),
  z.object({ type: z.literal("regex"), config: regexRuleConfig }),
  z.object({ type: z.literal("cel"), config: celRuleConfig }),
] as const;

export const ruleKindSchema = z.discriminatedUnion("type", ruleKinds);

/** A rule of any type, with what it has beside type and configuration. */
export function ruleOf<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const [alias, regex, cel] = ruleKinds;
  return z.discriminatedUnion("type", [alias.extend(shape), regex.extend(shape), cel.extend(shape)]);
}

/** A configuration without its type, as an update has it. */
export const ruleConfigSchema = z.union([regexRuleConfig, celRuleConfig, aliasRuleConfig]);

export type RuleScope = z.infer<typeof ruleScopeSchema>;
export type RuleKind = z.infer<typeof ruleKindSchema>;
export type RuleConfig = z.infer<typeof ruleConfigSchema>;
