import { existsSync } from "node:fs";
import { realpath } from "node:fs/promises";
import path from "node:path";
import { configNames, upwards } from "./find.js";
import { locateLocalService } from "./local-service.js";

/**
 * The project that the local service at a URL is for, if that is not this one: on a machine with many projects, the first
 * service that was started has the usual port, and a service that is started later may have the port of one that ended.
 *
 * @param folder The project's, absolute, links resolved.
 * @returns The other project's folder. Undefined where the service is for this project or one around it, where this project's
 * `service.json` is about this run of it, or where it is for none.
 * @throws No local service answers there.
 */
export async function otherOwner(url: string, folder: string, signal: AbortSignal): Promise<string | undefined> {
  const { id, project } = await identify(url, signal);
  if (project === undefined) return undefined;
  const owner = await realpath(project).catch(() => project);
  if (isWithin(folder, owner)) return undefined;
  const own = locateLocalService(folder, {});
  return id !== undefined && own.id === id ? undefined : owner;
}

/**
 * What makes a folder a project. A `.lettershop` folder alone does not: each command leaves its cache where it is
 * run, such as in the root of a monorepo.
 */
const projectFiles = [...configNames, path.join(".lettershop", "service.json")];

/**
 * Whether an application may use the local service of another folder all the same: it is in the same repository and in no
 * project of its own, as the applications of a monorepo are whose templates are a package next to them.
 *
 * @param folder The application's, absolute, links resolved.
 */
export function isShared(folder: string, owner: string): boolean {
  for (const each of upwards(folder)) {
    if (projectFiles.some((name) => existsSync(path.join(each, name)))) return false;
    if (existsSync(path.join(each, ".git"))) return isWithin(owner, each);
  }
  return false;
}

/** What a local service says of itself. */
interface Identity {
  readonly id?: string | undefined;
  readonly project?: string | undefined;
}

async function identify(url: string, signal: AbortSignal): Promise<Identity> {
  // Some frameworks replace `fetch` by one with a cache; Node's types don't know the option.
  const options = { signal, cache: "no-store" } as const;
  const answer = await fetch(new URL("/local/service", url), options);
  if (!answer.ok) {
    await answer.body?.cancel();
    throw new Error(`${url} answered ${answer.status}; it is not a local service.`);
  }
  const content: unknown = await answer.json();
  if (typeof content !== "object" || content === null) throw new Error(`${url} is not a local service.`);
  return { id: textIn(content, "id"), project: textIn(content, "project") };
}

function textIn(content: object, name: string): string | undefined {
  const value: unknown = Reflect.get(content, name);
  return typeof value === "string" ? value : undefined;
}

function isWithin(folder: string, around: string): boolean {
  const within = path.relative(around, folder);
  return within !== ".." && !within.startsWith(`..${path.sep}`) && !path.isAbsolute(within);
}
