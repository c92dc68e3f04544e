import { PATHS as PATHS_V4 } from "../v4/paths.js";

/** Version 3's paths, relative to `{base_url}/v3`; a segment `:name` is a parameter (part 4). */
export const PATHS = {
  account: "/account",
  whitelabels: "/account/whitelabels",
  domains: "/domains",
  domain: "/domains/:domain",
  domainCheck: "/domains/:domain/check",
  aliases: "/domains/:domain/aliases",
  aliasBulk: "/domains/:domain/aliases/bulk",
  aliasesAll: "/domains/:domain/aliases/aliases-all",
  alias: "/domains/:domain/aliases/:alias",
  rules: "/domains/:domain/rules",
  ruleBulk: "/domains/:domain/rules/bulk",
  rulesAll: "/domains/:domain/rules-all",
  rule: "/domains/:domain/rules/:rule",
  logs: "/domains/:domain/logs",
  logsSearch: "/domains/:domain/logs/search",
  /** An alias' entries; a `:alias` that is the id of a log entry is that entry. */
  logsOfAlias: "/domains/:domain/logs/:alias",
  credentials: "/domains/:domain/credentials",
  credential: "/domains/:domain/credentials/:username",

  // "Additional endpoints shown under the v3 prefix": those of version 4.
  aliasBatch: PATHS_V4.aliasBatch,
  ruleBatch: PATHS_V4.ruleBatch,
  logsCount: PATHS_V4.logsCount,
  log: PATHS_V4.log,
  outboundEmails: PATHS_V4.outboundEmails,
  templates: PATHS_V4.templates,
  template: PATHS_V4.template,
} as const;
