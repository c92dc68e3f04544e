import { existsSync } from "node:fs";
import { realpath } from "node:fs/promises";
import path from "node:path";
import { configNames } from "./find-project.js";
import { locateLocalService } from "./local-service.js";
import { isWithin, upwards } from "../files.js";
import { isRecord } from "../values.js";

/**
 * Finds out whether the local service at a URL belongs to another project. On a machine with several projects, the first service
 * gets the default port, and a later one may get the port of a service that has ended.
 *
 * @param folder The project's folder, absolute, with symbolic links resolved.
 * @returns The other project's folder. Undefined if the service belongs to this project, to one in a parent folder, or to none, or
 * if this project's `service.json` describes this run of it.
 * @throws There is no local service at the URL.
 */
export async function findOtherOwner(url: string, folder: string, signal: AbortSignal): Promise<string | undefined> {
  const { id, project } = await identifyService(url, signal);
  if (project === undefined) return undefined;
  const owner = await realpath(project).catch(() => project);
  if (isWithin(owner, folder)) return undefined;
  const own = locateLocalService(folder, {});
  return id !== undefined && own.id === id ? undefined : owner;
}

/**
 * Files that make a folder a project. A `.lettershop` folder alone does not, because commands store their cache wherever they
 * run, such as the root of a monorepo.
 */
const projectFiles = [...configNames, path.join(".lettershop", "service.json")];

/**
 * Whether an application may use the local service of another folder: if it is in the same repository and not in a project of its
 * own, like the applications of a monorepo whose templates are in a separate package.
 *
 * @param folder The application's folder, absolute, with symbolic links resolved.
 */
export function isShared(folder: string, owner: string): boolean {
  for (const each of upwards(folder)) {
    if (projectFiles.some((name) => existsSync(path.join(each, name)))) return false;
    if (existsSync(path.join(each, ".git"))) return isWithin(each, owner);
  }
  return false;
}

/** What a local service says about itself. */
interface ServiceIdentity {
  /** The ID of its run. */
  readonly id?: string;
  /** The folder of its project. */
  readonly project?: string;
  /** Undefined if it does not listen for SMTP. */
  readonly smtpPort?: number;
}

/** @throws There is no local service at the URL. */
export async function identifyService(url: string, signal: AbortSignal): Promise<ServiceIdentity> {
  // Some frameworks replace `fetch` with a caching one. Node's types don't include the option.
  const options = { signal, cache: "no-store" } as const;
  const answer = await fetch(new URL("/local/service", url), options);
  if (!answer.ok) {
    await answer.body?.cancel();
    throw new Error(`${url} responded with ${answer.status}; it is not a local service.`);
  }
  const content: unknown = await answer.json();
  if (!isRecord(content)) throw new Error(`${url} is not a local service.`);
  const { id, project, smtpPort } = content;
  return {
    ...(typeof id === "string" && { id }),
    ...(typeof project === "string" && { project }),
    ...(typeof smtpPort === "number" && { smtpPort }),
  };
}
