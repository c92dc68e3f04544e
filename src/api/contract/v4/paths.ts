/*
 * Version 4's paths, relative to `{base_url}/v4`; a segment `:name` is a parameter (part 4).
 *
 * Import them as a namespace, so that bundles only include the paths that they use.
 */
export const account = "/account";
export const domains = "/domains";
export const domain = "/domains/:domain";
export const domainVerify = "/domains/:domain/verify";
export const aliases = "/domains/:domain/aliases";
export const aliasBatch = "/domains/:domain/aliases/batch";
export const alias = "/domains/:domain/aliases/:id";
export const rules = "/domains/:domain/rules";
export const ruleBatch = "/domains/:domain/rules/batch";
export const rule = "/domains/:domain/rules/:rule";
export const logs = "/domains/:domain/logs";
export const logsCount = "/domains/:domain/logs/count";
export const logsSearch = "/domains/:domain/logs/search";
export const log = "/domains/:domain/logs/:id";
export const credentials = "/domains/:domain/credentials";
export const credential = "/domains/:domain/credentials/:username";
export const outboundEmails = "/domains/:domain/emails/outbound";
export const templates = "/domains/:domain/templates";
export const template = "/domains/:domain/templates/:name";
