import type { Severity } from "../diagnostic.js";

/** An environment as a configuration file describes it: everything but the key. */
export interface EnvironmentConfig {
  /** Base URL of the service, such as `https://api.example.com`. */
  readonly url: string;
  /** The domain that the templates belong to and that mail is sent from. */
  readonly domain: string;
  /**
   * Whether the key may travel unencrypted to another machine, which an `http://` URL needs. Only where you trust the
   * network in between. Default false; the local service's key, `local`, needs no permission.
   */
  readonly allowInsecure?: boolean;
  /** Version of the API. Default `v4`. */
  readonly version?: "v4" | "v3";
  /** Name of the environment variable that holds the key. Default `LETTERSHOP_API_KEY`. */
  readonly keyVariable?: string;
  /**
   * Put before each template's name on the service, so that two environments can share a domain; the mailer puts it there,
   * too. Default: nothing.
   *
   * @example "staging-"
   */
  readonly namePrefix?: string;
  /** Put behind each template's name on the service. Default: nothing. */
  readonly nameSuffix?: string;
  /** Where this environment's images are. Default: where the project's `assets` says. */
  readonly assets?: AssetsConfig;
  /**
   * The only templates of the project that this environment gets, by name or pattern. Default: all.
   *
   * @example ["receipt", "account-*"]
   */
  readonly include?: readonly string[];
  /**
   * Templates that this environment does not get, by name or pattern, though `include` names them. Default: none.
   *
   * @example ["draft-*"]
   */
  readonly exclude?: readonly string[];
  /**
   * Whether to ask before anything is changed there: on a terminal the environment's name has to be typed, elsewhere
   * `--yes` has to be given. Default false.
   */
  readonly confirm?: boolean;
  /**
   * Who may get mail from this environment: for all that are not production. The mailer holds every address of a message
   * to it. Default: anybody.
   */
  readonly recipients?: RecipientsConfig;
}

/**
 * Who may get mail from an environment.
 *
 * @example
 * recipients: { allow: ["@example.com", "ada@partner.example"], redirectTo: "staging-inbox@example.com" }
 */
export interface RecipientsConfig {
  /** Addresses; `@example.com` or `*@example.com` for all of a domain. Case does not matter. Empty: nobody. */
  readonly allow: readonly string[];
  /**
   * Gets what is meant for anybody else, once a message, with the addresses that were meant as its name in `To`. Without
   * it, such a message is refused before anything is sent.
   */
  readonly redirectTo?: string;
}

/** How `templates sync` keeps track of what it has applied. */
export interface SyncConfig {
  /**
   * Begins the marker that sync puts at the end of each template's description on the service, such as
   * `[lettershop acme u0Yw3kq_Zb.x8Kq2a]`: whose the template is, and what was last applied. At most 80 characters. `false`
   * leaves it out: then nothing tells an edit on the service from one that was never applied, but the lock. `templates
   * init` writes one that no other project has. Default: `lettershop` and the name in `package.json`.
   */
  readonly marker?: string | false;
  /**
   * Names, or patterns of them, on the service that `--prune` may delete without a marker. Default: none.
   *
   * @example ["old-newsletter", "tmp-*"]
   */
  readonly prune?: readonly string[];
  /**
   * What becomes of a template with `renamedFrom`. `keep` creates the new name and leaves the old one to applications that
   * still run, until `--prune`; `in-place` gives the template its new name at once. Default `keep`.
   */
  readonly renames?: "keep" | "in-place";
  /** Whether `templates.lock.json` is written, with which unchanged templates need no second request. Default true. */
  readonly lock?: boolean;
}

export interface AssetsConfig {
  /** The address that holds what `templates build` copies from `_assets/`. */
  readonly baseUrl: string;
}

/** How bad a rule's findings are; `off` leaves them out. */
export type RuleLevel = "off" | Severity;

/** Levels of rules, by their ids or by patterns of them: `links/*` for a group, `variable-*` for ids that begin so. */
export type RuleLevels = Readonly<Record<string, RuleLevel>>;

/** Levels for some templates, before those for all. */
export interface CheckOverride {
  /** Names of templates, or patterns of them: `marketing-*`. */
  readonly templates: string | readonly string[];
  readonly rules: RuleLevels;
}

/** A rule of the project's own, as `defineRule` of `lettershop/check` gives it. */
export interface CustomRule {
  readonly id: string;
  readonly summary: string;
  readonly severity: Severity;
}

/** What `templates check` looks for. */
export interface CheckConfig {
  /**
   * The rules that are on before `rules` and `overrides` say otherwise. `all` has those, too, that only some teams want.
   * Default `recommended`.
   */
  readonly extends?: "recommended" | "all";
  /** Whatever these don't name is as bad as its page in `docs/rules/` says. */
  readonly rules?: RuleLevels;
  /** Of several that name a template and a rule, the last one counts. */
  readonly overrides?: readonly CheckOverride[];
  /** Mail clients whose support counts, or patterns of them: `["gmail", "outlook-*"]`. Default: those in wide use. */
  readonly clients?: readonly string[];
  /** Variables that html may print unescaped, as `{{{name}}}`: `["legal.html"]`. */
  readonly rawVariables?: readonly string[];
  /** Rules of the project's own, made with `defineRule`. */
  readonly custom?: readonly CustomRule[];
}

/** What `lettershop.config.ts` exports by default. Every member has a default. */
export interface LettershopConfig {
  /** Templates roots, relative to the configuration file. Default `templates`. */
  readonly templates?: string | readonly string[];
  /** The generated file. Default `src/templates.gen.ts`, or `templates.gen.ts` where there is no `src`. */
  readonly registry?: string;
  /**
   * Whether `templates types` also writes the compiled bodies, in a folder beside the registry, for mailers with `render:
   * "local"`. Default: whether the registry that is there has them.
   */
  readonly registryBodies?: boolean;
  /** Named targets. `local`, the local service, always exists. */
  readonly environments?: Readonly<Record<string, EnvironmentConfig>>;
  /** The environment of a command without `--env`. */
  readonly defaultEnvironment?: string;
  readonly assets?: AssetsConfig;
  readonly check?: CheckConfig;
  readonly sync?: SyncConfig;
  /**
   * A file such as `.env`, relative to the configuration file. Templates get its variables whose names begin with
   * `TEMPLATES_`, `NEXT_PUBLIC_`, `VITE_`, `PUBLIC_` or `REACT_APP_` and that the environment doesn't set. It need not exist, and is not read in CI. Default: none.
   */
  readonly envFile?: string;
  /** BCP 47, for `derive`. Default `en-US`. */
  readonly locale?: string;
  /** IANA name, for `derive`. Default `UTC`. */
  readonly timeZone?: string;
}

/**
 * Gives a configuration its type: completion in the editor, and an error for a misspelt key.
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
