import type { Project } from "../../config/load.js";
import { ConfigurationError } from "../../errors.js";
import type { TemplateFiles } from "../../preview/server/access.js";
import { shownFrom } from "../../preview/server/report/shown-path.js";
import { createTemplate } from "../scaffold/create-template.js";
import { installCommand } from "../scaffold/peers.js";
import { starters } from "../scaffold/starters.js";
import { formerNameLine } from "./former-name.js";
import { renameTemplate } from "./rename-template.js";

/**
 * Creates and renames a project's templates for the preview, one at a time.
 *
 * @param project The current project.
 */
export function templateFiles(project: () => Pick<Project, "folder" | "roots">): TemplateFiles {
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <Value>(act: () => Promise<Value>): Promise<Value> => {
    const turn = last.then(act).catch((error: unknown) => {
      throw inWords(error);
    });
    last = turn.catch(() => undefined); // the caller handles the error
    return turn;
  };
  return {
    starters,
    create: (template) =>
      inTurn(async () => {
        const { written, kept, missing } = await createTemplate(project(), template);
        const toShownPath = shownFrom(project().folder);
        return {
          files: written.map(toShownPath),
          kept: kept.map(toShownPath),
          ...(missing.length > 0 && { install: installCommand(missing) }),
        };
      }),
    rename: (from, to) =>
      inTurn(async () => {
        const { metadataFile, body, obstacle } = await renameTemplate(project(), { from, to });
        const toShownPath = shownFrom(project().folder);
        return {
          body: toShownPath(body),
          formerName: {
            file: toShownPath(metadataFile),
            line: formerNameLine(from),
            ...(obstacle !== undefined && { obstacle }),
          },
        };
      }),
  };
}

/** Reports errors of the file system, such as a full disk or a read-only folder, as expected errors. */
function inWords(error: unknown): unknown {
  const isRefused = error instanceof Error && "syscall" in error;
  return isRefused
    ? new ConfigurationError(`The files couldn't be changed: ${error.message}`, { cause: error })
    : error;
}
