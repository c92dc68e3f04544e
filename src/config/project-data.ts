import { z } from "zod";
import { ConfigurationError } from "../errors.js";
import type { ProjectLocation } from "./find.js";
import type { Project } from "./load.js";
import { configSchema } from "./schema.js";

const { registryBodies, environments, defaultEnvironment, assets, check, sync, envFile, locale, timeZone } =
  configSchema.shape;

const projectSchema = z.object({
  roots: z.array(z.string()),
  registryFile: z.string(),
  registryBodies,
  environments,
  defaultEnvironment,
  assets,
  check,
  sync: sync.unwrap().required(),
  envFile,
  locale,
  timeZone,
});

/**
 * A project's configuration, as another process has read it in which the project's own code ran: none of it is taken
 * that a configuration could not say, and where the project is, this process knows by itself.
 *
 * @throws {ConfigurationError} It says something else.
 */
export function readProjectData(location: ProjectLocation, value: unknown): Project {
  const { success, data, error } = projectSchema.safeParse(value);
  if (success) return { ...data, ...location };
  throw new ConfigurationError("The configuration's own code has meddled with what it says.", { cause: error });
}
