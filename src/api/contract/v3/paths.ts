/*
 * The paths that only version 3 has, relative to `{base_url}/v3`; a segment `:name` is a parameter (part 4). The others are
 * version 4's.
 *
 * Import them as a namespace, so that bundles only include the paths that they use.
 */
export const whitelabels = "/account/whitelabels";
export const domainCheck = "/domains/:domain/check";
export const aliasBulk = "/domains/:domain/aliases/bulk";
export const aliasesAll = "/domains/:domain/aliases/aliases-all";
export const alias = "/domains/:domain/aliases/:alias";
export const ruleBulk = "/domains/:domain/rules/bulk";
export const rulesAll = "/domains/:domain/rules-all";
/** An alias's entries; if `:alias` is the id of a log entry, that entry. */
export const logsOfAlias = "/domains/:domain/logs/:alias";
