import { readFileSync } from "node:fs";
import path from "node:path";
import { LOCAL_PORT } from "../api/local.js";

/**
 * Where the local service of this folder, or of the nearest one above, answers or last answered.
 *
 * @param folder Absolute.
 */
export function localServiceUrl(folder: string): string {
  const url = urlIn(path.join(folder, ".lettershop", "service.json"));
  if (url !== undefined) return url;
  const parent = path.dirname(folder);
  return parent === folder ? `http://127.0.0.1:${LOCAL_PORT}` : localServiceUrl(parent);
}

/** Undefined where no service has left a word, or a half-written one. */
function urlIn(file: string): string | undefined {
  try {
    const content: unknown = JSON.parse(readFileSync(file, "utf8"));
    return typeof content === "object" && content !== null && "url" in content && typeof content.url === "string"
      ? content.url
      : undefined;
  } catch {
    return undefined;
  }
}
