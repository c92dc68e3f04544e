import type { Project } from "../../project/load-project.js";
import { ConfigurationError } from "../../errors.js";
import type { TemplateFiles } from "../../preview/server/preview-access.js";
import { pathsRelativeTo } from "../../preview/server/report/problems.js";
import { createTemplate, draftOf, renameIntoPlace, refuseName, refusePlace } from "../scaffold/create-template.js";
import { installCommand } from "../scaffold/peers.js";
import { starters } from "../scaffold/starters.js";
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { cp, rename, rm } from "node:fs/promises";
import path from "node:path";
import { writeAtomically } from "../../preview/server/fixtures/write-file.js";
import { bodyExtensions } from "../../project/candidates.js";
import { loadTemplates } from "../../project/load-templates.js";
import { templateNameOf, stemOf } from "../../project/template-name.js";
import type { Template } from "../../project/template.js";
import { hasBody } from "../../project/read-template.js";
import { UsageError } from "../arguments.js";
import { JsonSyntaxError, readSyntax } from "../../text/json-syntax.js";

/** Creates and renames a project's templates for the preview, one at a time. */
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
        const toShownPath = pathsRelativeTo(project().folder);
        return {
          files: written.map(toShownPath),
          kept: kept.map(toShownPath),
          ...(missing.length > 0 && { install: installCommand(missing) }),
        };
      }),
    rename: (from, to) =>
      inTurn(async () => {
        const { metadataFile, body, obstacle } = await renameTemplate(project(), { from, to });
        const toShownPath = pathsRelativeTo(project().folder);
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

interface RenamedTemplate {
  /** Absolute, like `body`. */
  readonly metadataFile: string;
  readonly body: string;
  /** Why the previous name was not added to `template.json`. */
  readonly obstacle?: string;
}

/**
 * Renames a template with all of its files, and adds the previous name to its `template.json`, so that sync keeps the old
 * template for applications that still send it.
 *
 * @throws {UsageError} It can't be renamed, or not to this name. Nothing has changed then.
 */
async function renameTemplate(
  { folder, roots }: Pick<Project, "folder" | "roots">,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<RenamedTemplate> {
  const { names, templates, incomplete = [], unusable = [] } = loadTemplates(roots);
  const template = [...templates, ...incomplete, ...unusable].find(({ name }) => name === from);
  if (!names.has(from)) throw new UsageError(`There is no template "${from}".`);
  refuseName(to, names);
  if (!template || !hasBody(template))
    throw new UsageError(`The template "${from}" can't be renamed, because it has no body or more than one.`);
  return template.folder === template.root ? renameFile(template, to) : renameFolder(template, to, folder);
}

async function renameFile({ root, body }: Template, to: string): Promise<RenamedTemplate> {
  const file = path.join(root, `${stemOf(to)}${path.extname(body.file)}`);
  await rename(body.file, file);
  return {
    body: file,
    metadataFile: path.join(root, stemOf(to), "template.json"),
    obstacle: `A single-file template has no template.json. To add one, move the file to ${to}/${path.basename(file)}.`,
  };
}

async function renameFolder(template: Template, to: string, projectFolder: string): Promise<RenamedTemplate> {
  const { folder, name: from, root, body } = template;
  if (lstatSync(folder).isSymbolicLink())
    throw new UsageError(`${path.relative(projectFolder, folder)} is a symbolic link. Rename its target instead.`);
  const place = path.join(root, stemOf(to));
  refusePlace(place, projectFolder);
  const moves = movesIn(template, to, projectFolder);
  const draft = draftOf(place);
  let obstacle: string | undefined;
  try {
    // Copy instead of moving: Windows can't move a folder while one inside it is watched.
    await cp(folder, draft, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
    for (const [file, next] of moves) await rename(path.join(draft, file), path.join(draft, next));
    obstacle = await recordFormerName(path.join(draft, "template.json"), { from, to });
    await renameIntoPlace(draft, place);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  await rm(folder, { recursive: true, maxRetries: 10 });
  const [, newBody = ""] = moves.find(([file]) => file === path.basename(body.file)) ?? [];
  return {
    body: path.join(place, newBody),
    metadataFile: path.join(place, "template.json"),
    ...(obstacle !== undefined && { obstacle }),
  };
}

/** The files to rename in the template's folder, with their new names: the body and the text. */
function movesIn({ folder, name }: Template, to: string, projectFolder: string) {
  const entries = readdirSync(folder);
  const named = (stem: string) =>
    entries.filter((entry) => {
      const { name: own, ext } = path.parse(entry);
      return templateNameOf(own) === stem && [...bodyExtensions, ".txt"].includes(ext);
    });
  const [conflicting] = named(to);
  if (conflicting !== undefined)
    throw new UsageError(
      `${path.relative(projectFolder, path.join(folder, conflicting))} would become its body or text.`,
      {
        hint: "Move the file, or choose another name.",
      },
    );
  // By new name: if two files would get the same name, only one is renamed.
  const moves = new Map(named(name).map((entry) => [`${stemOf(to)}${path.extname(entry)}`, entry]));
  return [...moves].map(([next, entry]) => [entry, next] as const);
}

/** @returns Why the name was not added; undefined if it was. */
async function recordFormerName(
  file: string,
  names: { readonly from: string; readonly to: string },
): Promise<string | undefined> {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (stats && !stats.isFile()) return "Its template.json is a symbolic link, so the previous name was not added.";
  try {
    const next = withFormerName(stats && readFileSync(file, "utf8"), names);
    if (next.text !== undefined) await writeAtomically(file, next.text, stats !== undefined);
    return next.obstacle;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const BYTE_ORDER_MARK = "\uFEFF";

/** The member of `template.json` that tells sync a renamed template's previous name. */
function formerNameLine(name: string): string {
  return `"renamedFrom": ${JSON.stringify(name)}`;
}

/**
 * Adds a template's previous name to its `template.json`; everything else in the file stays unchanged.
 *
 * @param text The file's contents; undefined if there is no file.
 * @returns The new contents, or an `obstacle`: why the user has to edit the file.
 * @example
 * withFormerName('{ "subject": "Paid" }', { from: "receipt", to: "order-paid" }).text; // '{ "subject": "Paid", "renamedFrom": "receipt" }'
 */
export function withFormerName(
  text: string | undefined,
  { from, to }: { readonly from: string; readonly to: string },
): { readonly text: string; readonly obstacle?: undefined } | { readonly obstacle: string; readonly text?: undefined } {
  if (text?.startsWith(BYTE_ORDER_MARK)) {
    const next = withFormerName(text.slice(1), { from, to });
    return next.text === undefined ? next : { text: BYTE_ORDER_MARK + next.text };
  }
  const line = formerNameLine(from);
  const members = text === undefined ? new Map() : membersOf(text);
  if (!members)
    return { obstacle: "Its template.json is not a valid JSON object, so the previous name was not added." };
  if (text === undefined || members.size === 0) return { text: `{\n  ${line}\n}\n` };
  const replace = (start: number, end: number, by: string) => ({ text: text.slice(0, start) + by + text.slice(end) });
  const known = members.get("renamedFrom");
  if (!known) {
    const first = Math.min(...[...members.values()].map(({ key }) => key));
    const end = Math.max(...[...members.values()].map(({ value }) => value.end));
    const [space = ""] = /\s*$/.exec(text.slice(0, first)) ?? [];
    return replace(end, end, `,${space}${line}`);
  }
  const { start, end } = known.value;
  const before: unknown = JSON.parse(text.slice(start, end));
  // It was renamed back to its previous name.
  if (before === to) return replace(start, end, JSON.stringify(from));
  return { obstacle: `Its template.json already has another previous name: ${JSON.stringify(before)}.` };
}

function membersOf(text: string) {
  try {
    return readSyntax(text).members;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}
