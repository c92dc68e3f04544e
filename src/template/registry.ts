import type { AssetsConfig, RecipientsConfig } from "../config/define.js";
import type { ReadValue } from "../mustache/read-inferred.js";
import type { Variables, VariablesContract } from "../mustache/variables.js";
import type { Metadata } from "./template.js";

/** Where and in which time zone and language `derive` formats. */
export interface DeriveContext {
  /** BCP 47; `en-US` where nothing else is known. */
  readonly locale: string;
  /** IANA name; `UTC` where nothing else is known. */
  readonly timeZone: string;
}

/** The part of a zod schema that checking needs, so that the registry's schema may come from any zod 4. */
export interface VariablesCheck {
  safeParse(value: unknown): ReadValue;
}

/** One template as an application knows it. */
export interface RegistryEntry {
  /** SHA-256 of the compiled fields. */
  readonly hash: string;
  /** The template's subject, still Mustache. Empty where it has none: then each message brings its own. */
  readonly subject: string;
  /** How messages are sent that say nothing else: from `template.json`. */
  readonly delivery?: DeliveryDefaults;
  readonly contract: VariablesContract;
  /** What its `variables.ts` exports. Absent where the schema was inferred: the contract says all of it. */
  readonly schema?: VariablesCheck;
  readonly derive?: (variables: never, context: DeriveContext) => Variables;
  /** Loads the compiled bodies, where `templates types --bodies` wrote them. */
  readonly bodies?: () => Promise<TemplateBodies>;
}

export type DeliveryDefaults = Pick<Metadata, "priority" | "expiresAfter" | "onUnknown">;

/** A template's compiled bodies, still Mustache; one registry is for environments that have their images in different places. */
export interface TemplateBodies {
  /** @param assets The address below which the images of `_assets` are. */
  readonly html: (assets: string) => string;
  readonly text: (assets: string) => string;
}

/** An environment as the registry carries it: everything but the key. */
export interface RegistryEnvironment {
  readonly url: string;
  readonly domain: string;
  readonly version: "v4" | "v3";
  /** The name of the environment variable that holds the key. */
  readonly keyVariable: string;
  /** Whether the key may travel unencrypted to another machine. */
  readonly allowInsecure?: boolean;
  readonly namePrefix?: string;
  readonly nameSuffix?: string;
  /** Where its images are; there where the registry has bodies. */
  readonly assets?: AssetsConfig;
  /** Who may get mail from it. Default: anybody. */
  readonly recipients?: RecipientsConfig;
}

/**
 * The generated, typed list of templates. `Types` maps each template's name to the variables that it takes;
 * `WithoutSubject` are the names of those that bring no subject.
 *
 * @example
 * import { templates } from "./templates.gen.js";
 * const mailer = createMailer({ templates });
 */
export interface Registry<
  Types extends object = Record<string, Variables>,
  WithoutSubject extends keyof Types = never,
> {
  readonly templates: { readonly [Name in keyof Types]: RegistryEntry };
  readonly environments: Readonly<Record<string, RegistryEnvironment>>;
  readonly defaultEnvironment?: string;
  /** The project's, for `derive`: a mail that is sent reads like the one that was previewed. BCP 47; default `en-US`. */
  readonly locale?: string;
  /** IANA name; default `UTC`. */
  readonly timeZone?: string;
  /** Where the images of an environment are that says nothing else; there where the registry has bodies. */
  readonly assets?: AssetsConfig;
  /** Never set: carries the types. */
  readonly types?: Types;
  readonly withoutSubject?: WithoutSubject;
}
