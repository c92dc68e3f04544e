import type { AssetsConfig, RecipientsConfig } from "./config.js";
import type { MakeFunctions } from "../mustache/expression/package-functions.js";
import type { ReadValue } from "../mustache/read-inferred.js";
import type { Variables, VariablesContract } from "../mustache/variables.js";
import type { SmtpResolver } from "./smtp-server.js";
import type { Metadata } from "./template.js";

/** The locale and time zone in which `derive` formats. */
export interface DeriveContext {
  /** BCP 47; `en-US` by default. */
  readonly locale: string;
  /** IANA name; `UTC` by default. */
  readonly timeZone: string;
}

/** The part of a zod schema that checking needs, so that the registry's schema may come from any zod 4. */
export interface VariablesCheck {
  safeParse(value: unknown): ReadValue;
}

/** One template in the registry. */
export interface RegistryEntry {
  /** SHA-256 of the compiled fields. */
  readonly hash: string;
  /** The template's subject, still Mustache. If it is empty, each message needs its own subject. */
  readonly subject: string;
  /** Defaults for messages that don't set these options, from `template.json`. */
  readonly delivery?: DeliveryDefaults;
  readonly contract: VariablesContract;
  /** The schema from its `variables.ts`. Absent if the schema was inferred: then the contract is complete. */
  readonly schema?: VariablesCheck;
  readonly derive?: (variables: never, context: DeriveContext) => Variables;
  /** Makes the functions of packages with which its values are computed. */
  readonly functions?: MakeFunctions;
  /** Loads the same, if some of them render HTML. */
  readonly loadFunctions?: () => Promise<MakeFunctions>;
  /** Loads the compiled bodies, if `templates types --bodies` wrote them. */
  readonly bodies?: () => Promise<TemplateBodies>;
}

export type DeliveryDefaults = Pick<Metadata, "priority" | "expiresAfter" | "onUnknown">;

/** A template's compiled bodies, still Mustache. They take the images' base URL, so that one registry serves several environments. */
export interface TemplateBodies {
  /** @param assets The base URL of the images in `_assets`. */
  readonly html: (assets: string) => string;
  readonly text: (assets: string) => string;
}

/** An environment in the registry: its configuration without the key. */
export interface RegistryEnvironment {
  /** Absent if it only sends by SMTP. */
  readonly url?: string | undefined;
  readonly transport?: "api" | "smtp" | undefined;
  /** `smtp()` of `lettershop/smtp`, if it sends by SMTP. */
  readonly smtp?: SmtpResolver;
  readonly domain: string;
  readonly version: "v4" | "v3";
  /** The name of the environment variable that holds the key. */
  readonly keyVariable: string;
  /** Whether the key may be sent unencrypted to another machine. */
  readonly allowInsecure?: boolean;
  readonly namePrefix?: string;
  readonly nameSuffix?: string;
  /** Where its images are; set if the registry has bodies. */
  readonly assets?: AssetsConfig;
  /** Who may receive email from it. Default: anyone. */
  readonly recipients?: RecipientsConfig;
}

/**
 * The generated, typed list of templates. `Types` maps each template's name to the variables that it takes;
 * `WithoutSubject` is the union of the names of templates without a subject.
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
  /** The project's locale for `derive`, so that sent messages read like previewed ones. BCP 47; default `en-US`. */
  readonly locale?: string;
  /** IANA name; default `UTC`. */
  readonly timeZone?: string;
  /** Where the images are for environments that don't set it themselves; set if the registry has bodies. */
  readonly assets?: AssetsConfig;
  /** Never set: carries the types. */
  readonly types?: Types;
  readonly withoutSubject?: WithoutSubject;
}
