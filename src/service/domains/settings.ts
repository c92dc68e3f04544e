import type { z } from "zod";
import type { domainChangesSchema as changesV3 } from "../../api/contract/v3/domains.js";
import { type domainChangesSchema as changesV4, newDomainSchema } from "../../api/contract/v4/domains.js";
import { invalidFields } from "../http/api-error.js";
import { parseAddress } from "../outbound/address.js";
import type { DomainSettings } from "../store/domains.js";
import { check, Problems } from "../http/validate.js";
import { hasUserInfo, isWebAddress, USER_INFO_REFUSED } from "../web-address.js";
import { readDomainName } from "./name.js";

const WEBHOOK_MAX = 2_048;

/**
 * Reads the name and the settings of a new domain.
 *
 * @throws ApiError (400) with every problem of the body.
 */
export function readNewDomain(body: Record<string, unknown>): { name: string; settings: DomainSettings } {
  const problems = new Problems();
  const fields = check(newDomainSchema, body, problems);
  const name = fields && readDomainName(fields.domain);
  if (fields && name === undefined) problems.add("domain", "domain must be a full domain name, such as example.com");
  const settings = fields && readSettings(fields, problems);
  if (settings === undefined || name === undefined || problems.found) throw invalidFields(problems.errors);
  return { name, settings };
}

/**
 * Reads changes to a domain. The body may contain its current name, but no other name.
 *
 * @throws ApiError (400) with every problem of the body.
 */
export function readDomainChanges(
  schema: typeof changesV3 | typeof changesV4,
  body: Record<string, unknown>,
  name: string,
): DomainSettings {
  const problems = new Problems();
  const fields = check(schema, body, problems);
  const { domain = name } = body;
  if (typeof domain !== "string" || readDomainName(domain) !== name) {
    problems.add("domain", "domain cannot be changed: add the other domain, and delete this one");
  }
  const settings = fields && readSettings(fields, problems);
  if (settings === undefined || problems.found) throw invalidFields(problems.errors);
  return settings;
}

function readSettings(fields: z.output<typeof changesV3>, problems: Problems): DomainSettings {
  const { notification_email: notificationEmail, whitelabel, webhook } = fields;
  if (notificationEmail && parseAddress(notificationEmail)?.email !== notificationEmail) {
    problems.add("notification_email", "notification_email must be an email address, or null for the account's");
  }
  const parent = whitelabel ? readDomainName(whitelabel) : null;
  if (parent === undefined) problems.add("whitelabel", "whitelabel must be a full domain name, or null for none");
  const refusal = webhook ? webhookRefusal(webhook) : undefined;
  if (refusal !== undefined) problems.add("webhook", `webhook ${refusal}`);
  return {
    notificationEmail: emptyAsNull(notificationEmail),
    whitelabel: whitelabel === undefined ? undefined : parent,
    webhook: emptyAsNull(webhook),
  };
}

/** An empty string removes a setting, as null does. */
function emptyAsNull(text: string | null | undefined): string | null | undefined {
  return text === "" ? null : text;
}

/** Why a URL is not a valid webhook, as text that follows the field's name. Undefined if it is valid. */
export function webhookRefusal(webhook: string): string | undefined {
  if (webhook.length > WEBHOOK_MAX || !isWebAddress(webhook)) {
    return `must be an http or https URL of at most ${WEBHOOK_MAX} characters`;
  }
  return hasUserInfo(webhook) ? USER_INFO_REFUSED : undefined;
}
