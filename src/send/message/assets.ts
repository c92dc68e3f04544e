import type { AssetsConfig } from "../../config/define.js";
import type { Environment } from "../../config/environment.js";

/**
 * Where an environment's images are, as `templates sync` has it: a message reads the same however it is sent.
 *
 * @param project The project's, for an environment that is none of the registry's.
 */
export function assetsOf(
  { name, url, assets }: Pick<Environment, "name" | "url" | "assets">,
  project: AssetsConfig | undefined,
): string | undefined {
  if (assets !== undefined) return assets.baseUrl;
  return name === "local" ? `${url}/assets` : project?.baseUrl;
}
