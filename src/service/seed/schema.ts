import { z } from "zod";
import { planSchema } from "../../api/contract/v4/account.js";
import { newAliasSchema } from "../../api/contract/v4/aliases.js";
import { newCredentialSchema } from "../../api/contract/v4/credentials.js";
import { newRuleSchema } from "../../api/contract/v4/rules.js";
import { newTemplateSchema } from "../../api/contract/v4/templates.js";
import { LOCAL_API_KEY, LOCAL_DOMAIN } from "../../api/local.js";
import { readDomainName } from "../domains/name.js";
import { webhookRefusal } from "../domains/settings.js";
import { parseAddress } from "../outbound/address.js";
import { profileSchema } from "../store/accounts.js";

const domainName = z.string().transform((text, context) => {
  const name = readDomainName(text);
  if (name === undefined) context.addIssue("must be a full domain name, such as example.com");
  return name ?? z.NEVER;
});

const emailAddress = z.string().refine((text) => parseAddress(text)?.email === text, "must be an email address");

const webhookUrl = z.string().superRefine((url, context) => {
  const refusal = webhookRefusal(url);
  if (refusal !== undefined) context.addIssue(refusal);
});

const domainSchema = z.strictObject({
  name: domainName,
  /** Whether its DNS is set up for sending. Default true. */
  sendReady: z.boolean().default(true),
  /** Whether its MX records are set up. Default: as `sendReady`. */
  forwardingReady: z.boolean().optional(),
  notificationEmail: emailAddress.optional(),
  /** A parent domain that DNS settings show. */
  whitelabel: domainName.optional(),
  /** Where the events of its mails are posted: an http or https URL. */
  webhook: webhookUrl.optional(),
  /** Which of aliases and rules are applied to received mail; null for neither. Default null. */
  routingEngine: z.enum(["alias", "rules"]).nullable().optional(),
  rulesFallbackEmail: emailAddress.optional(),
  banned: z.boolean().optional(),
  strictMxes: z.boolean().optional(),
  notifyWhenSpamBlocked: z.boolean().optional(),
  /* As the bodies of version 4's creations have them. */
  templates: z.array(z.strictObject(newTemplateSchema.shape)).readonly().default([]),
  aliases: z.array(z.strictObject(newAliasSchema.shape)).readonly().default([]),
  rules: z.array(newRuleSchema).readonly().default([]),
  credentials: z.array(z.strictObject(newCredentialSchema.shape)).readonly().default([]),
});

const limitsSchema = planSchema.omit({ name: true, price: true, billing_cycle: true });
const given = { plan: true, created_at: true, over_quota: true, locked: true, lock_reason: true } as const;

const accountSchema = z.strictObject({
  /** Default `local`. */
  apiKey: z.string().min(1).default(LOCAL_API_KEY),
  /** Default `paid`. */
  plan: z.enum(["free", "paid"]).default("paid"),
  /** Limits that differ from the plan's, by their names in version 4's plan object. */
  limits: z.strictObject(limitsSchema.partial().shape).default({}),
  /** Why the account is locked; it is not where this is missing. */
  locked: z.string().min(1).optional(),
  /** What else the account shows, by its names in version 4, and for what only version 3 has, in version 3. */
  profile: z.strictObject(profileSchema.omit(given).partial().shape).default({}),
  /** Default: `example.test`, ready to send. */
  domains: z
    .tuple([domainSchema], domainSchema)
    .readonly()
    .prefault([{ name: LOCAL_DOMAIN }]),
});

/** Several accounts. The first is the one that `RunningService` and the command speak of. */
export const accountsSchema = z.strictObject({
  accounts: z.tuple([accountSchema], accountSchema).readonly(),
});

/** Every member of a seed, whatever it is a member of: what a misspelt one may have meant. */
export const memberNames = ["accounts", ...Object.keys(accountSchema.shape), ...Object.keys(domainSchema.shape)];

export type SeedAccount = z.input<typeof accountSchema>;

/**
 * What a data folder is to hold: one account, or several.
 *
 * @example
 * const seed: Seed = {
 *   plan: "free",
 *   domains: [{ name: "example.test", aliases: [{ alias: "hello", forward: "ada@example.com" }] }],
 * };
 */
export type Seed = SeedAccount | z.input<typeof accountsSchema>;

/** A seed that was read: everything there, every name as it is stored. */
export type ReadSeed = z.output<typeof accountsSchema>;
export type ReadAccount = z.output<typeof accountSchema>;
export type ReadDomain = z.output<typeof domainSchema>;
