import type { AssetsConfig } from "../../project/config.js";
import type { Environment } from "../../project/environment.js";

/**
 * The base URL of an environment's images, the same as for `templates sync`: a message looks the same however it is
 * sent.
 *
 * @param project The project's setting, for an environment that is not in the registry.
 */
export function assetsOf(
  { name, url, assets }: Pick<Environment, "name" | "url" | "assets">,
  project: AssetsConfig | undefined,
): string | undefined {
  if (assets !== undefined) return assets.baseUrl;
  return name === "local" ? `${url}/assets` : project?.baseUrl;
}
