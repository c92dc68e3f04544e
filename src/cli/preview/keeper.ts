import { z } from "zod";
import type { ProjectLocation } from "../../config/find.js";
import type { Project } from "../../config/load.js";
import { ConfigurationError } from "../../errors.js";
import { assetsOf } from "../assets.js";
import { failureOf } from "../failure.js";
import type { Output } from "../output.js";
import { withLocalAssets } from "../target.js";
import { openInEditor } from "./editor.js";
import { environmentChoices, usableEnvironment } from "./environments.js";
import type { LocalService } from "./local-service.js";
import { createMailers } from "./mailer.js";
import type { AnyCall, CallResult } from "./protocol.js";
import type { Remote } from "./remote.js";
import { templateFiles } from "./template-files.js";
import { writePreviewFile } from "./write-file.js";

/** Carries out calls from the preview process, which has no keys. */
export interface Keeper {
  answer(call: AnyCall): Promise<CallResult>;
  close(): Promise<void>;
}

export interface KeeperOptions {
  readonly location: ProjectLocation;
  /** The latest configuration; undefined until it was read once. */
  readonly project: () => Project | undefined;
  /** Whether project code can read this environment variable, so that it must not be used as a key. */
  readonly isSeen: (variable: string) => boolean;
  readonly local: LocalService;
  readonly output: Output;
  readonly signal: AbortSignal;
}

const environment = z.string();

/** Input is validated, because it comes from a process that runs project code. */
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
  create: z.object({ name: z.string(), engine: z.enum(["mjml", "react", "html"]), starter: z.string().optional() }),
  rename: z.object({ from: z.string(), to: z.string() }),
  write: z.object({ file: z.string(), text: z.string(), overwrite: z.boolean() }),
  edit: z.object({ file: z.string(), line: z.int().min(1).optional(), column: z.int().min(1).optional() }),
};

export function createKeeper({ location, project, isSeen, local, output, signal }: KeeperOptions): Keeper {
  const mailers = createMailers(local);
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

  async function carryOut({ name, input }: AnyCall): Promise<unknown> {
    switch (name) {
      case "environments":
        return environmentChoices(project(), isSeen);
      case "local":
        return (await local.reach(open())).url;
      case "assets": {
        const request = schemas.assets.parse(input);
        const usable = usableEnvironment(open(), request.environment, isSeen);
        if (usable.name !== "local") return assetsOf(open(), usable.name);
        return (request.isNeeded ? await local.reach(open()) : withLocalAssets(usable)).assets;
      }
      case "send": {
        const message = schemas.send.parse(input);
        return mailers.send(open(), usableEnvironment(open(), message.environment, isSeen), message);
      }
      case "remote":
        return (await remote()).report(open(), schemas.remote.parse(input), isSeen);
      case "deployed":
        return (await remote()).deployed(open(), schemas.deployed.parse(input), isSeen);
      case "starters":
        return files.starters();
      case "create":
        return files.create(schemas.create.parse(input));
      case "rename": {
        const { from, to } = schemas.rename.parse(input);
        return files.rename(from, to);
      }
      case "write":
        return writePreviewFile(location, project()?.roots ?? [], schemas.write.parse(input));
      case "edit":
        return openInEditor(open().folder, schemas.edit.parse(input));
      default:
        throw new ConfigurationError(`The preview made an unknown call: "${name}".`);
    }
  }

  return {
    async answer(call) {
      try {
        return { value: await carryOut(call) };
      } catch (error) {
        const failure = failureOf(error);
        if (failure) return { error: { message: failure.message, hint: failure.hint } };
        output.note(error instanceof Error ? error.stack : String(error));
        return { error: { message: "An unexpected error occurred in lettershop. See the terminal for details." } };
      }
    },
    close: () => mailers.close(),
  };
}
