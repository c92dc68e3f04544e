import { ENGINE_NAMES } from "../../project/template.js";
import { z } from "zod";
import type { ProjectLocation } from "../../project/find-project.js";
import { attempt, isWithin, upwards } from "../../files.js";
import type { Project } from "../../project/load-project.js";
import { ConfigurationError } from "../../errors.js";
import { assetsOf } from "../assets.js";
import type { ErrorFacts } from "../../process/rpc.js";
import { failureOf } from "../failure.js";
import type { Output } from "../output.js";
import { withLocalAssets } from "../target.js";
import { environmentChoices, sendingEnvironment, usableEnvironment } from "./environments.js";
import type { PreviewLocalService } from "./local-service.js";
import { createMailers } from "./mailer.js";
import type { KeeperFunctions } from "./command-functions.js";
import type { Remote } from "./remote.js";
import { createOutboxReader } from "./outbox.js";
import type { StoreFlags } from "../outbox/boxes.js";
import { LISTED_MESSAGES_MAX } from "../../preview/contract.js";
import type { OutboxState } from "../../send/store/outbox.js";
import { templateFiles } from "./template-files.js";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { existsSync, realpathSync } from "node:fs";
import { writeAtomically } from "../../preview/server/fixtures/write-file.js";

/** What the preview process can call, because it has no keys. */
export interface Keeper {
  /** Inputs are validated, because they come from a process that runs project code. */
  readonly functions: Readonly<Record<keyof KeeperFunctions, (input: unknown) => unknown>>;
  /** Describes an error of these functions for the page. Unexpected ones are printed instead. */
  readonly factsOf: (error: unknown) => ErrorFacts;
  close(): Promise<void>;
}

export interface KeeperOptions {
  readonly location: ProjectLocation;
  /** The latest configuration; undefined until it was read once. */
  readonly project: () => Project | undefined;
  /** Whether project code can read this environment variable, so that it must not be used as a key. */
  readonly isSeen: (variable: string) => boolean;
  readonly local: PreviewLocalService;
  /** Names the store of the outbox. */
  readonly store: StoreFlags;
  readonly output: Output;
  readonly signal: AbortSignal;
}

const environment = z.string();

const schemas = {
  assets: z.object({ environment, isNeeded: z.boolean() }),
  send: z.object({
    template: z.string(),
    environment,
    to: z.string(),
    isConfirmed: z.boolean(),
    subject: z.string(),
    html: z.string(),
    text: z.string(),
  }),
  remote: z.object({ environment, template: z.string(), compiled: z.unknown().optional() }),
  deployed: z.object({ environment, template: z.string() }),
  outbox: z.object({
    // Reading refuses an unknown state.
    state: z.custom<OutboxState>((state) => typeof state === "string").optional(),
    template: z.string().optional(),
    target: z.string().optional(),
    limit: z.int().min(1).max(LISTED_MESSAGES_MAX),
  }),
  create: z.object({ name: z.string(), engine: z.enum(ENGINE_NAMES), starter: z.string().optional() }),
  rename: z.object({ from: z.string(), to: z.string() }),
  write: z.object({ file: z.string(), text: z.string(), overwrite: z.boolean() }),
  edit: z.object({ file: z.string(), line: z.int().min(1).optional(), column: z.int().min(1).optional() }),
};

export function createKeeper({ location, project, isSeen, local, store, output, signal }: KeeperOptions): Keeper {
  const mailers = createMailers(local, store.schema);
  const outbox = createOutboxReader(store);
  const files = templateFiles(open);
  let opened: Promise<Remote> | undefined;

  function open(): Project {
    const current = project();
    if (current !== undefined) return current;
    throw new ConfigurationError("The configuration has errors.", { hint: "The preview shows them." });
  }

  function remote(): Promise<Remote> {
    opened ??= import("./remote.js").then(({ createRemote }) => createRemote(signal));
    return opened;
  }

  const functions: Keeper["functions"] = {
    environments: () => environmentChoices(project(), isSeen),
    local: async () => (await local.reach(open())).url,
    async assets(input) {
      const request = schemas.assets.parse(input);
      const usable = usableEnvironment(open(), request.environment, isSeen);
      if (usable.name !== "local") return assetsOf(open(), usable.name);
      return (request.isNeeded ? await local.reach(open()) : withLocalAssets(usable)).assets;
    },
    send(input) {
      const message = schemas.send.parse(input);
      return mailers.send(open(), sendingEnvironment(open(), message.environment, isSeen), message);
    },
    remote: async (input) => (await remote()).report(open(), schemas.remote.parse(input), isSeen),
    deployed: async (input) => (await remote()).deployed(open(), schemas.deployed.parse(input), isSeen),
    outbox: (input) => outbox.read(schemas.outbox.parse(input)),
    outboxMessage: (input) => outbox.message(z.string().parse(input)),
    starters: () => files.starters(),
    create: (input) => files.create(schemas.create.parse(input)),
    rename(input) {
      const { from, to } = schemas.rename.parse(input);
      return files.rename(from, to);
    },
    write: (input) => writePreviewFile(location, project()?.roots ?? [], schemas.write.parse(input)),
    edit: (input) => openInEditor(open().folder, schemas.edit.parse(input)),
  };

  return {
    functions,
    factsOf(error) {
      const failure = failureOf(error);
      if (failure) return { code: "command", message: failure.message, hint: failure.hint };
      output.note(error instanceof Error ? error.stack : String(error));
      return {
        code: "command",
        message: "An unexpected error occurred in lettershop. See the terminal for details.",
      };
    },
    async close() {
      await Promise.all([mailers.close(), outbox.close()]);
    },
  };
}

/** How long to wait for an editor to fail to start, in ms. */
const STARTING_MS = 400;

/**
 * Opens a file in the running editor, or in the one that `EDITOR` names.
 *
 * @param folder The project's folder. Files outside it are refused.
 * @throws {ConfigurationError} There is no editor, or it did not start.
 */
async function openInEditor(
  folder: string,
  { file, line = 1, column = 1 }: { readonly file: string; readonly line?: number; readonly column?: number },
): Promise<void> {
  const absolute = path.resolve(folder, file);
  if (!isWithin(folder, absolute)) throw new ConfigurationError(`${file} is not in this project.`);
  const { default: launch } = await import("launch-editor");
  const failed = new Promise<never>((_, reject) => {
    launch(`${absolute}:${line}:${column}`, (_file, reason) =>
      reject(
        new ConfigurationError(`No editor could be opened${reason ? `: ${reason}` : "."}`, {
          hint: "Set EDITOR to your editor's command, such as `code`, and start the preview again.",
        }),
      ),
    );
  });
  await Promise.race([failed, sleep(STARTING_MS)]);
}

/**
 * Writes a file for the preview: a fixture of the project or the preview's preferences. The request comes from a process that
 * runs project code, so any other file is refused, as are paths through symbolic links.
 *
 * @throws {LettershopError} The file is not one of these, or can't be written.
 */
export async function writePreviewFile(
  { folder, dataFolder }: ProjectLocation,
  roots: readonly string[],
  { file, text, overwrite }: { readonly file: string; readonly text: string; readonly overwrite: boolean },
): Promise<void> {
  const isPreferences = file === path.join(dataFolder, "preview.json");
  const isFixture = [folder, ...roots].some((root) => isFixtureIn(root, file));
  if ((!isPreferences && !isFixture) || attempt(() => JSON.parse(text)) === undefined || isBehindLink(file))
    throw new ConfigurationError(`The preview can't write ${file}, because it is not a fixture of this project.`);
  await writeAtomically(file, text, overwrite);
}

function isFixtureIn(root: string, file: string): boolean {
  const real = realOf(root);
  const parts = path.relative(real, file).split(path.sep);
  const isHidden = parts.some((part) => part.startsWith(".") || part === "node_modules");
  return isWithin(real, file) && !isHidden && parts.at(-2) === "fixtures" && path.extname(file) === ".json";
}

function realOf(folder: string): string {
  return existsSync(folder) ? realpathSync.native(folder) : folder;
}

function isBehindLink(file: string): boolean {
  const [existing = file] = [...upwards(file)].filter((each) => existsSync(each));
  return path.normalize(file) !== file || realpathSync.native(existing) !== existing;
}
