import { z } from "zod";
import type { LettershopConfig } from "./define.js";

const text = z.string().min(1, "expected a text that is not empty");
const webAddress = z.url({ protocol: /^https?$/, error: "expected an address that begins with https:// or http://" });

const assetsSchema = z.strictObject({ baseUrl: webAddress });

const environmentSchema = z.strictObject({
  url: webAddress,
  domain: text,
  version: z.enum(["v4", "v3"]).default("v4"),
  keyVariable: z
    .string()
    .regex(/^[a-z_]\w*$/i, "expected the name of an environment variable, not the key")
    .default("LETTERSHOP_API_KEY"),
  namePrefix: z
    .string()
    .regex(/^[a-z0-9][a-z0-9_-]*$/, "expected lower-case letters, digits, - and _, first a letter or digit")
    .optional(),
  nameSuffix: z
    .string()
    .regex(/^[a-z0-9_-]+$/, "expected lower-case letters, digits, - and _")
    .optional(),
  assets: assetsSchema.optional(),
});

const someRoots = "expected a path or a list of paths";

const environmentName = z.string().refine((name) => name !== "local" && name !== "custom", "this name is taken");

export const configSchema = z.strictObject({
  /** For editors, in a JSON file. */
  $schema: z.string().optional(),
  templates: z.union([text, z.array(text).nonempty(someRoots)], someRoots).default("templates"),
  registry: z
    .string()
    .regex(/\.[cm]?ts$/, "expected the path of a .ts file")
    .optional(),
  environments: z.record(environmentName, environmentSchema).default({}),
  defaultEnvironment: z.string().optional(),
  assets: assetsSchema.optional(),
  locale: z.string().refine(isLocale, "expected a language tag such as en-US").default("en-US"),
  timeZone: z.string().refine(isTimeZone, "expected a time zone such as Europe/Paris").default("UTC"),
}) satisfies z.ZodType<unknown, LettershopConfig>;

/** Of the object at a path of the configuration. */
export function knownKeys([first, , third]: readonly PropertyKey[]): string[] {
  if (first === "assets" || third === "assets") return Object.keys(assetsSchema.shape);
  return Object.keys(first === "environments" ? environmentSchema.shape : configSchema.shape);
}

function isLocale(tag: string): boolean {
  return doesNotThrow(() => Intl.getCanonicalLocales(tag));
}

function isTimeZone(timeZone: string): boolean {
  return doesNotThrow(() => new Intl.DateTimeFormat("en-US", { timeZone }));
}

function doesNotThrow(action: () => unknown): boolean {
  try {
    action();
    return true;
  } catch {
    return false;
  }
}
