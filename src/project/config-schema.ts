import { z } from "zod";
import { hasCredentials } from "./environment.js";
import type { LettershopConfig } from "./config.js";
import { attempt } from "../files.js";
import { ConfigurationError } from "../errors.js";
import type { ProjectLocation } from "./find-project.js";
import type { Project } from "./load-project.js";

const text = z.string().min(1, "expected a non-empty string");
const httpUrl = z
  .url({ protocol: /^https?$/, error: "expected a URL that begins with https:// or http://", abort: true })
  .refine((url) => !hasCredentials(url), "expected a URL without user name and password");

const assetsSchema = z.strictObject({ baseUrl: httpUrl });

const templatePatterns = z.array(text);

/** `@example.com`, `*@example.com` or an address. Domains can't contain wildcards, which might allow too much. */
const allowedRecipient = z
  .string()
  .regex(/^[^\s<>]*@[^\s<>@*]+$/, "expected an email address, or @example.com for a whole domain");

const recipientsSchema = z.strictObject({
  allow: z.array(allowedRecipient),
  redirectTo: z
    .string()
    .regex(/^[^\s<>*@]+@[^\s<>*@]+$/, "expected one email address without a display name")
    .optional(),
});

const environmentSchema = z
  .strictObject({
    url: httpUrl.optional(),
    transport: z.enum(["api", "smtp"]).optional(),
    domain: text,
    allowInsecure: z.boolean().optional(),
    version: z.enum(["v4", "v3"]).default("v4"),
    keyVariable: z
      .string()
      .regex(/^[a-z_]\w*$/i, "expected the name of an environment variable, not the key")
      .default("LETTERSHOP_API_KEY"),
    namePrefix: z
      .string()
      .regex(/^[a-z0-9][a-z0-9_-]*$/, "expected lower-case letters, digits, - and _, beginning with a letter or digit")
      .optional(),
    nameSuffix: z
      .string()
      .regex(/^[a-z0-9_-]+$/, "expected lower-case letters, digits, - and _")
      .optional(),
    assets: assetsSchema.optional(),
    include: templatePatterns.optional(),
    exclude: templatePatterns.optional(),
    confirm: z.boolean().optional(),
    recipients: recipientsSchema.optional(),
  })
  .refine(({ url, transport }) => url !== undefined || transport === "smtp", {
    path: ["url"],
    error: 'expected the URL of the service, which only environments with `transport: "smtp"` can do without',
  });

const someNames = "expected a template name, a pattern such as marketing-*, or a list of these";
const someRoots = "expected a path or a list of paths";

const environmentName = z.string().refine((name) => name !== "local" && name !== "custom", "this name is reserved");

const ruleLevel = z.enum(["off", "info", "warning", "error"]);
const ruleLevels = z.record(z.string(), ruleLevel);

const overrideSchema = z.strictObject({
  templates: z.union([text, z.array(text).nonempty(someNames)], someNames),
  rules: ruleLevels,
});

const customRuleSchema = z.strictObject({
  id: z.string().regex(/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/, "expected an ID in kebab case, such as no-shouting"),
  summary: text,
  severity: z.enum(["info", "warning", "error"]),
});

const checkSchema = z.strictObject({
  extends: z.enum(["recommended", "all"], 'expected "recommended" or "all"').default("recommended"),
  rules: ruleLevels.default({}),
  overrides: z.array(overrideSchema).default([]),
  clients: z.array(text).default([]),
  rawVariables: z.array(text).default([]),
  custom: z.array(customRuleSchema).default([]),
});

const MARKER_MAX = 80;

/** Parsed from descriptions, where `[` and `]` enclose the marker and the last space precedes the hashes. */
const markerText = z
  .string()
  .max(MARKER_MAX, `expected at most ${MARKER_MAX} characters, because it is part of the description`)
  .regex(/^[^[\]\r\n]*[^[\]\s]$/, "expected a single line without [ and ] that does not end with a space");

export function isMarkerText(value: string): boolean {
  return markerText.safeParse(value).success;
}

const syncSchema = z.strictObject({
  marker: z.union([z.literal(false), markerText], "expected a string or false").optional(),
  prune: templatePatterns.default([]),
  renames: z.enum(["keep", "in-place"]).default("keep"),
  lock: z.boolean().default(true),
});

export const configSchema = z.strictObject({
  /** For editors, in JSON files. */
  $schema: z.string().optional(),
  templates: z.union([text, z.array(text).nonempty(someRoots)], someRoots).default("templates"),
  registry: z
    .string()
    .regex(/\.[cm]?ts$/, "expected the path of a .ts file")
    .optional(),
  registryBodies: z.boolean().optional(),
  environments: z.record(environmentName, environmentSchema).default({}),
  defaultEnvironment: z.string().optional(),
  assets: assetsSchema.optional(),
  check: checkSchema.prefault({}),
  sync: syncSchema.prefault({}),
  envFile: text.optional(),
  locale: z.string().refine(isLocale, "expected a language tag such as en-US").default("en-US"),
  timeZone: z.string().refine(isTimeZone, "expected a time zone such as Europe/Paris").default("UTC"),
}) satisfies z.ZodType<unknown, LettershopConfig>;

/** The known keys of the object at a path of the configuration. */
export function knownKeys([first, second, third]: readonly PropertyKey[]): string[] {
  if (first === "check") {
    const within = { overrides: overrideSchema, custom: customRuleSchema }[String(second)];
    return Object.keys((within ?? checkSchema).shape);
  }
  if (first === "sync") return Object.keys(syncSchema.shape);
  if (first === "assets" || third === "assets") return Object.keys(assetsSchema.shape);
  if (third === "recipients") return Object.keys(recipientsSchema.shape);
  return Object.keys(first === "environments" ? environmentSchema.shape : configSchema.shape);
}

function isLocale(tag: string): boolean {
  return attempt(() => Intl.getCanonicalLocales(tag)) !== undefined;
}

function isTimeZone(timeZone: string): boolean {
  return attempt(() => new Intl.DateTimeFormat("en-US", { timeZone })) !== undefined;
}

const { $schema: _, templates: _templates, registry: _registry, ...settings } = configSchema.shape;

const projectSchema = z.object({
  ...settings,
  roots: z.array(z.string()),
  registryFile: z.string(),
  sync: settings.sync.unwrap().required(),
});

/**
 * Validates a project's configuration that comes from a process that runs project code. The project's location is not taken from
 * it, because this process knows it.
 *
 * @throws {ConfigurationError} The value is not a configuration.
 */
export function readProjectData(location: ProjectLocation, value: unknown): Project {
  const { success, data, error } = projectSchema.safeParse(value);
  if (success) return { ...data, ...location };
  throw new ConfigurationError("Project code tampered with the configuration.", { cause: error });
}
