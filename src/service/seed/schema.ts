import { z } from "zod";
import { planSchema } from "../../api/contract/v4/account.js";
import { newAliasSchema } from "../../api/contract/v4/aliases.js";
import { newCredentialSchema } from "../../api/contract/v4/credentials.js";
import { newRuleSchema } from "../../api/contract/v4/rules.js";
import { newTemplateSchema } from "../../api/contract/v4/templates.js";
import { LOCAL_API_KEY, LOCAL_DOMAIN } from "../../api/local.js";
import { readDomainName, webhookRefusal } from "../domains.js";
import { parseAddress } from "../address.js";
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

const base64Key = z.base64().min(4);
/** As in Standard Webhooks, whose libraries refuse others. */
const webhookSecret = z
  .string()
  .refine(
    (text) => text.startsWith("whsec_") && base64Key.safeParse(text.slice(6)).success,
    'must be "whsec_" and a key in base64',
  );

const domainSchema = z.strictObject({
  name: domainName,
  /** Whether its DNS is set up for sending. Default true. */
  sendReady: z.boolean().default(true),
  /** Whether its MX records are set up. Default: same as `sendReady`. */
  forwardingReady: z.boolean().optional(),
  notificationEmail: emailAddress.optional(),
  /** The parent domain that is shown in DNS settings. */
  whitelabel: domainName.optional(),
  /** The http or https URL to which events of its emails are posted. */
  webhook: webhookUrl.optional(),
  /** Whether received emails are forwarded by aliases or by rules; null for neither. Default `alias`. */
  routingEngine: z.enum(["alias", "rules"]).nullable().optional(),
  /** Where emails go that no rule matches. Default: they are refused. */
  rulesFallbackEmail: emailAddress.optional(),
  banned: z.boolean().optional(),
  strictMxes: z.boolean().optional(),
  notifyWhenSpamBlocked: z.boolean().optional(),
  /* The same as the bodies of version 4's create requests. */
  templates: z.array(z.strictObject(newTemplateSchema.shape)).readonly().default([]),
  aliases: z.array(z.strictObject(newAliasSchema.shape)).readonly().default([]),
  rules: z.array(newRuleSchema).readonly().default([]),
  credentials: z.array(z.strictObject(newCredentialSchema.shape)).readonly().default([]),
});

const limitsSchema = planSchema.omit({ name: true, price: true, billing_cycle: true });
const SET_BY_SEED = { plan: true, created_at: true, over_quota: true, locked: true, lock_reason: true } as const;

const accountSchema = z.strictObject({
  /** Default `local`. */
  apiKey: z.string().min(1).default(LOCAL_API_KEY),
  /** Default `paid`. */
  plan: z.enum(["free", "paid"]).default("paid"),
  /** Limits that differ from the plan's, by their names in version 4's plan object. */
  limits: z.strictObject(limitsSchema.partial().shape).default({}),
  /** Why the account is locked. Left out: it is not locked. */
  locked: z.string().min(1).optional(),
  /** Other members of the account, by their names in version 4, or in version 3 if only that has them. */
  profile: z
    .strictObject({ ...profileSchema.omit(SET_BY_SEED).partial().shape, webhook_secret: webhookSecret.optional() })
    .default({}),
  /** Default: `example.test`, ready to send. */
  domains: z
    .tuple([domainSchema], domainSchema)
    .readonly()
    .prefault([{ name: LOCAL_DOMAIN }]),
});

/** Several accounts. `RunningService` and the command report the first. */
export const accountsSchema = z.strictObject({
  accounts: z.tuple([accountSchema], accountSchema).readonly(),
});

/** All members of a seed at any level, to suggest one for a typo. */
export const memberNames = ["accounts", ...Object.keys(accountSchema.shape), ...Object.keys(domainSchema.shape)];

export type SeedAccount = z.input<typeof accountSchema>;

/**
 * The content of a data folder: one account, or several.
 *
 * @example
 * const seed: Seed = {
 *   plan: "free",
 *   domains: [{ name: "example.test", aliases: [{ alias: "hello", forward: "ada@example.com" }] }],
 * };
 */
export type Seed = SeedAccount | z.input<typeof accountsSchema>;

/** A parsed seed: with all defaults, and every name as it is stored. */
export type ReadSeed = z.output<typeof accountsSchema>;
export type ReadAccount = z.output<typeof accountSchema>;
export type ReadDomain = z.output<typeof domainSchema>;
