import { z } from "zod";
import { ConfigurationError } from "../errors.js";
import type { ProjectLocation } from "./find-project.js";
import type { Project } from "./load-project.js";
import { configSchema } from "./config-schema.js";

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
