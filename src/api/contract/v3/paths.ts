/*
 * Version 3's paths, relative to `{base_url}/v3`; a segment `:name` is a parameter (part 4).
 *
 * Import them as a namespace, so that bundles only include the paths that they use.
 */
export const account = "/account";
export const whitelabels = "/account/whitelabels";
export const domains = "/domains";
export const domain = "/domains/:domain";
export const domainCheck = "/domains/:domain/check";
export const aliases = "/domains/:domain/aliases";
export const aliasBulk = "/domains/:domain/aliases/bulk";
export const aliasesAll = "/domains/:domain/aliases/aliases-all";
export const alias = "/domains/:domain/aliases/:alias";
export const rules = "/domains/:domain/rules";
export const ruleBulk = "/domains/:domain/rules/bulk";
export const rulesAll = "/domains/:domain/rules-all";
export const rule = "/domains/:domain/rules/:rule";
export const logs = "/domains/:domain/logs";
export const logsSearch = "/domains/:domain/logs/search";
/** An alias's entries; if `:alias` is the id of a log entry, that entry. */
export const logsOfAlias = "/domains/:domain/logs/:alias";
export const credentials = "/domains/:domain/credentials";
export const credential = "/domains/:domain/credentials/:username";

// Those of the "additional endpoints shown under the v3 prefix", which are version 4's, that are used here.
export { logsCount, log, outboundEmails, templates, template } from "../v4/paths.js";
