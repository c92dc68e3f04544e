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
 * Adds and renames a project's templates for the preview, one at a time.
 *
 * @param project As it is configured now.
 */
export function templateFiles(project: () => Pick<Project, "folder" | "roots">): TemplateFiles {
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <Value>(act: () => Promise<Value>): Promise<Value> => {
    const turn = last.then(act).catch((error: unknown) => {
      throw inWords(error);
    });
    last = turn.catch(() => undefined); // whoever asked is told
    return turn;
  };
  return {
    starters,
    create: (template) =>
      inTurn(async () => {
        const { written, kept, missing } = await createTemplate(project(), template);
        const shown = shownFrom(project().folder);
        return {
          files: written.map(shown),
          kept: kept.map(shown),
          ...(missing.length > 0 && { install: installCommand(missing) }),
        };
      }),
    rename: (from, to) =>
      inTurn(async () => {
        const { metadataFile, body, obstacle } = await renameTemplate(project(), { from, to });
        const shown = shownFrom(project().folder);
        return {
          body: shown(body),
          formerName: {
            file: shown(metadataFile),
            line: formerNameLine(from),
            ...(obstacle !== undefined && { obstacle }),
          },
        };
      }),
  };
}

/** What the system refuses is nobody's defect: a disk that is full, a folder that may not be written to. */
function inWords(error: unknown): unknown {
  const isRefused = error instanceof Error && "syscall" in error;
  return isRefused
    ? new ConfigurationError(`The files couldn't be changed: ${error.message}`, { cause: error })
    : error;
}
