import type { Severity } from "../diagnostic.js";

/** An environment in a configuration file. It never contains the key. */
export interface EnvironmentConfig {
  /** Base URL of the service, such as `https://api.example.com`. Optional if messages are sent by SMTP. */
  readonly url?: string | undefined;
  /**
   * How mailers send. `smtp` needs LETTERSHOP_SMTP_HOST, and usually LETTERSHOP_SMTP_PORT (default 587),
   * LETTERSHOP_SMTP_USER and LETTERSHOP_SMTP_PASSWORD; bodies come from the registry, so run `templates types --bodies`.
   * Default: `api`.
   */
  readonly transport?: "api" | "smtp" | undefined;
  /** The domain that the templates belong to and that messages are sent from. */
  readonly domain: string;
  /**
   * Whether to allow sending the key unencrypted to another machine, as needed for an `http://` URL. Set it only if you trust the
   * network. Default: false. The local service's key, `local`, is always allowed.
   */
  readonly allowInsecure?: boolean;
  /** Version of the API. Default `v4`. */
  readonly version?: "v4" | "v3";
  /** Name of the environment variable that holds the key. Default `LETTERSHOP_API_KEY`. */
  readonly keyVariable?: string;
  /**
   * A prefix for each template's name on the service, so that two environments can share a domain. The mailer adds it, too.
   * Default: none.
   *
   * @example "staging-"
   */
  readonly namePrefix?: string;
  /** A suffix for each template's name on the service. Default: none. */
  readonly nameSuffix?: string;
  /** Where this environment's images are hosted. Default: the project's `assets`. */
  readonly assets?: AssetsConfig;
  /**
   * The templates to deploy to this environment, by name or pattern. Default: all.
   *
   * @example ["receipt", "account-*"]
   */
  readonly include?: readonly string[];
  /**
   * Templates not to deploy to this environment, by name or pattern, even if `include` matches them. Default: none.
   *
   * @example ["draft-*"]
   */
  readonly exclude?: readonly string[];
  /**
   * Whether changes to this environment must be confirmed: on a terminal by typing its name, elsewhere with `--yes`.
   * Default: false.
   */
  readonly confirm?: boolean;
  /**
   * Who may receive messages from this environment. Use it for every environment except production. The mailer checks every
   * address of a message. Default: anyone.
   */
  readonly recipients?: RecipientsConfig;
}

/**
 * Who may receive messages from an environment.
 *
 * @example
 * recipients: { allow: ["@example.com", "ada@partner.example"], redirectTo: "staging-inbox@example.com" }
 */
export interface RecipientsConfig {
  /** Addresses; `@example.com` or `*@example.com` allows a whole domain. Case-insensitive. Empty: nobody. */
  readonly allow: readonly string[];
  /**
   * Receives messages to all other addresses: once per message, with the original addresses as the display name in `To`. Without
   * it, such messages are refused before anything is sent.
   */
  readonly redirectTo?: string;
}

/** How `templates sync` tracks what it has applied. */
export interface SyncConfig {
  /**
   * The text at the start of the marker that sync adds to the end of each template's description on the service, such as
   * `[lettershop acme u0Yw3kq_Zb.x8Kq2a]`. The marker identifies the template's project and the version that was last applied.
   * Maximum 80 characters. `templates init` writes a unique one. With `false`, there is no marker, and only the lock can tell edits
   * on the service from versions that were never applied. Default: `lettershop` and the name in `package.json`.
   */
  readonly marker?: string | false;
  /**
   * Names or patterns of templates on the service that `--prune` may delete even without a marker. Default: none.
   *
   * @example ["old-newsletter", "tmp-*"]
   */
  readonly prune?: readonly string[];
  /**
   * How to apply `renamedFrom`. `keep` creates a template with the new name and keeps the old one for running applications until
   * `--prune`; `in-place` renames the template on the service at once. Default: `keep`.
   */
  readonly renames?: "keep" | "in-place";
  /** Whether to write `templates.lock.json`, which saves requests for unchanged templates. Default: true. */
  readonly lock?: boolean;
}

export interface AssetsConfig {
  /** The URL of the files that `templates build` copies from `_assets/`. */
  readonly baseUrl: string;
}

/** The severity of a rule's findings; `off` turns the rule off. */
export type RuleLevel = "off" | Severity;

/** Rule levels by ID or pattern: `links/*` for a group, `variable-*` for IDs with that prefix. */
export type RuleLevels = Readonly<Record<string, RuleLevel>>;

/** Rule levels for some templates. They override those for all templates. */
export interface CheckOverride {
  /** Names or patterns of templates, such as `marketing-*`. */
  readonly templates: string | readonly string[];
  readonly rules: RuleLevels;
}

/** A custom rule, made with `defineRule` from `lettershop/check`. */
export interface CustomRule {
  readonly id: string;
  readonly summary: string;
  readonly severity: Severity;
}

/** The configuration of `templates check`. */
export interface CheckConfig {
  /**
   * The set of rules to start from; `rules` and `overrides` change it. `all` includes rules that only some teams want.
   * Default: `recommended`.
   */
  readonly extends?: "recommended" | "all";
  /** Rule levels. Each rule's default is on its page in `docs/rules/`. */
  readonly rules?: RuleLevels;
  /** If several match a template and a rule, the last one wins. */
  readonly overrides?: readonly CheckOverride[];
  /** Email clients to support, by name or pattern: `["gmail", "outlook-*"]`. Default: the widely used ones. */
  readonly clients?: readonly string[];
  /** Variables that may be printed unescaped in HTML, as `{{{name}}}`: `["legal.html"]`. */
  readonly rawVariables?: readonly string[];
  /** Custom rules, made with `defineRule`. */
  readonly custom?: readonly CustomRule[];
}

/** The default export of `lettershop.config.ts`. Every property is optional. */
export interface LettershopConfig {
  /** Template folders, relative to the configuration file. Default: `templates`. */
  readonly templates?: string | readonly string[];
  /** The generated registry. Default: `src/templates.gen.ts`, or `templates.gen.ts` if there is no `src`. */
  readonly registry?: string;
  /**
   * Whether `templates types` also writes the compiled bodies, to a folder next to the registry, for mailers with
   * `render: "local"`. Default: whether the existing registry has bodies.
   */
  readonly registryBodies?: boolean;
  /** Environments by name. `local`, the local service, always exists. */
  readonly environments?: Readonly<Record<string, EnvironmentConfig>>;
  /** The environment to use without `--env`. */
  readonly defaultEnvironment?: string;
  readonly assets?: AssetsConfig;
  readonly check?: CheckConfig;
  readonly sync?: SyncConfig;
  /**
   * A file such as `.env`, relative to the configuration file. Templates can read its variables whose names begin with
   * `TEMPLATES_`, `NEXT_PUBLIC_`, `VITE_`, `PUBLIC_` or `REACT_APP_`, unless the environment sets them. The file is optional, and is
   * ignored in CI. Default: none.
   */
  readonly envFile?: string;
  /** Locale for `derive`, and default of what components format, as a BCP 47 tag. Default: `en-US`. */
  readonly locale?: string;
  /** Time zone for `derive`, and default of what components format, as an IANA name. Default: `UTC`. */
  readonly timeZone?: string;
}

/**
 * Types a configuration, for completion in the editor and errors for misspelt keys.
 *
 * @example
 * // lettershop.config.ts
 * import { defineConfig } from "lettershop/config";
 *
 * export default defineConfig({
 *   environments: {
 *     production: { url: "https://api.example.com", domain: "example.com", keyVariable: "MAIL_API_KEY" },
 *   },
 * });
 */
export function defineConfig(config: LettershopConfig): LettershopConfig {
  return config;
}
