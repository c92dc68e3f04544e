import { readFileSync } from "node:fs";
import path from "node:path";
import { isLoopback, LOCAL_PORT } from "../api/local.js";
import { isRecord } from "../values.js";
import { attempt, upwards } from "../files.js";

/** Where the local service of a folder should be. */
export interface LocalServiceLocation {
  readonly url: string;
  /** Undefined if it does not listen for SMTP, or none was found. */
  readonly smtpPort?: number;
  /** Whether LETTERSHOP_URL names it; then it may belong to any project. */
  readonly isGiven: boolean;
  /** The ID of the run in `service.json`, while the service is running. */
  readonly id?: string;
}

/**
 * Locates the local service: by LETTERSHOP_URL, if that is on this machine; else by the latest `service.json` of this folder or
 * its nearest parent; else at the default port, which any project's service may use.
 */
export function locateLocalService(folder: string, env: NodeJS.ProcessEnv = process.env): LocalServiceLocation {
  const url = env["LETTERSHOP_URL"]?.trim();
  if (url && isLoopbackUrl(url)) return { url: url, isGiven: true };
  for (const each of upwards(folder)) {
    const written = readServiceFile(path.join(each, ".lettershop", "service.json"));
    if (written !== undefined) return { ...written, isGiven: false };
  }
  return { url: `http://127.0.0.1:${LOCAL_PORT}`, isGiven: false };
}

/** Whether a URL is on this machine, where only the local service can be. */
export function isLoopbackUrl(url: string): boolean {
  return URL.canParse(url) && isLoopback(new URL(url).hostname);
}

/** Reads a `service.json`; undefined if it is missing or incomplete. */
function readServiceFile(file: string): Pick<LocalServiceLocation, "url" | "smtpPort" | "id"> | undefined {
  const content: unknown = attempt(() => JSON.parse(readFileSync(file, "utf8")));
  if (!isRecord(content)) return undefined;
  const { url, smtpPort, id } = content;
  if (typeof url !== "string") return undefined;
  return { url, ...(typeof smtpPort === "number" && { smtpPort }), ...(typeof id === "string" && { id }) };
}
