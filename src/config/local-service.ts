import { readFileSync } from "node:fs";
import path from "node:path";
import { isLoopback, LOCAL_PORT } from "../api/local.js";
import { upwards } from "./find.js";

/** Where the local service of a folder is looked for. */
export interface LocalServiceLocation {
  readonly url: string;
  /** Whether LETTERSHOP_URL names it, so that whose it is does not matter. */
  readonly isGiven: boolean;
  /** Of the run that `service.json` is about, while it runs. */
  readonly id?: string;
}

/**
 * Where LETTERSHOP_URL says, if that is on this machine; else where the service of this folder, or of the nearest one above,
 * answers or last answered; else its usual port, where any project's service may be.
 *
 * @param folder Absolute.
 */
export function locateLocalService(folder: string, env: NodeJS.ProcessEnv = process.env): LocalServiceLocation {
  const given = env["LETTERSHOP_URL"]?.trim();
  if (given && isLoopbackUrl(given)) return { url: given, isGiven: true };
  for (const each of upwards(folder)) {
    const written = readServiceFile(path.join(each, ".lettershop", "service.json"));
    if (written !== undefined) return { ...written, isGiven: false };
  }
  return { url: `http://127.0.0.1:${LOCAL_PORT}`, isGiven: false };
}

/** Whether a URL leads to this machine, where only the local service is. */
export function isLoopbackUrl(url: string): boolean {
  return URL.canParse(url) && isLoopback(new URL(url).hostname);
}

/** Undefined where no service has written one, or a half-written one. */
function readServiceFile(file: string): Pick<LocalServiceLocation, "url" | "id"> | undefined {
  try {
    const content: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (typeof content !== "object" || content === null || !("url" in content) || typeof content.url !== "string")
      return undefined;
    const { url } = content;
    return "id" in content && typeof content.id === "string" ? { url, id: content.id } : { url };
  } catch {
    return undefined;
  }
}
