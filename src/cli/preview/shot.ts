import type { ProjectState } from "../../preview/contract.js";
import { openWorkspace } from "../../preview/server/workspace/workspace.js";
import { type Choice, type Screenshot, type Screenshots, shoot } from "../../preview/shot/shoot.js";
import { didYouMean, UsageError } from "../arguments.js";
import { type ExitCode, exitCode } from "../command.js";
import type { Output } from "../output.js";
import { printProblems, projectAccess } from "./project-access.js";
import { existsSync } from "node:fs";
import path from "node:path";
import { type ProjectFlags, workingFolder } from "../project.js";
import { readdir } from "node:fs/promises";

/** `templates preview shot`: takes screenshots of the templates and compares them with earlier ones. */
export async function takeScreenshots(
  names: readonly string[],
  flags: ShotFlags,
  output: Output,
  signal: AbortSignal,
): Promise<ExitCode> {
  const shot = readShotFlags(flags);
  const access = await projectAccess(flags);
  const workspace = openWorkspace(access, { watch: false });
  try {
    const state = await workspace.state();
    let count = 0;
    const onPicture = ({ file }: Screenshot): void => output.progress(`${(count += 1)} ${file}`);
    const chosen = chooseTemplates(state, names);
    const result = await shoot({ ...shot, workspace, folder: access.folder, names: chosen, signal, onPicture });
    output.progress();
    if (result.pictures.length === 0 && result.broken.length === 0 && shot.fixtures.length > 0)
      throw new UsageError(`No template has a fixture ${shot.fixtures.map((name) => `"${name}"`).join(" or ")}.`);

    const missing = shot.before === undefined ? [] : await missingFrom(shot.before, { ...shot, names }, result);
    const isUnchanged = report(result, missing, shot, output);
    const isTroubled = printProblems(state, output);
    return isUnchanged && result.broken.length === 0 && !isTroubled ? exitCode.done : exitCode.findings;
  } finally {
    await workspace.close();
  }
}

function chooseTemplates({ templates }: ProjectState, names: readonly string[]): readonly string[] {
  const all = templates.map(({ name }) => name);
  const unknown = names.find((name) => !all.includes(name));
  if (unknown !== undefined)
    throw new UsageError(`There is no template "${unknown}".`, {
      hint: didYouMean(unknown, all) ?? `Templates: ${all.join(", ") || "none yet"}`,
    });
  return names.length === 0 ? all : names;
}

/** Reports the screenshots. Returns false if one differs by more than the threshold or is missing. */
function report({ pictures, broken }: Screenshots, missing: readonly string[], shot: Shot, output: Output): boolean {
  const { out, before, threshold } = shot;
  const judged = pictures.map((picture) => ({ ...picture, isChanged: (picture.percent ?? 0) > threshold }));
  const changed = judged.filter(({ isChanged }) => isChanged);
  const added = judged.filter(({ state }) => state === "new");
  if (before === undefined) for (const { file } of judged) output.print(file);
  else {
    for (const { file, pixels = 0, percent = 0, difference = "" } of changed)
      output.print(`changed  ${file}  ${percentage(percent)} (${counted(pixels, "pixel")})  ${difference}`);
    for (const { file } of added) output.print(`new      ${file}`);
    for (const file of missing) output.print(`missing  ${file}`);
    const counts = `${changed.length} changed, ${added.length} new, ${missing.length} missing`;
    output.print(`${counted(judged.length, "screenshot")}: ${counts}.`);
  }
  if (broken.length > 0) output.note(`Did not compile: ${broken.join(", ")}. Run: templates check`);
  output.json({ out, pictures: judged, missing, broken });
  return changed.length === 0 && missing.length === 0;
}

function counted(count: number, what: string): string {
  return `${count.toLocaleString("en-US")} ${what}${count === 1 ? "" : "s"}`;
}

/** Enough digits that a difference is never shown as zero. */
function percentage(percent: number): string {
  return `${percent >= 0.01 ? percent.toFixed(2) : percent.toPrecision(1)}%`;
}

interface ShotFlags extends ProjectFlags {
  readonly out: string | undefined;
  readonly width: string | undefined;
  readonly scheme: string | undefined;
  readonly fixture: readonly string[];
  readonly remoteImages: boolean;
  readonly compare: string | undefined;
  readonly threshold: string | undefined;
}

interface Shot extends Choice {
  readonly out: string;
  readonly remoteImages: boolean;
  /** The folder of earlier screenshots. */
  readonly before?: string;
  /** The percentage of a screenshot's pixels that may differ. */
  readonly threshold: number;
}

const SCHEMES = ["light", "dark"] as const;

export function readShotFlags(flags: ShotFlags): Shot {
  const folder = workingFolder(flags);
  if (flags.out === undefined)
    throw new UsageError('"templates preview shot" needs an output folder.', {
      hint: "Run: templates preview shot --out DIR",
    });
  const out = path.resolve(folder, flags.out);
  return {
    out,
    ...(flags.compare !== undefined && { before: readBefore(path.resolve(folder, flags.compare), out) }),
    threshold: readThreshold(flags.threshold ?? "0"),
    widths: list(flags.width ?? "390,720").map(readWidth),
    schemes: list(flags.scheme ?? "light,dark").map(readScheme),
    fixtures: flags.fixture.flatMap(list),
    remoteImages: flags.remoteImages,
  };
}

function list(text: string): string[] {
  return [...new Set(text.split(",").map((item) => item.trim()))];
}

function readBefore(before: string, out: string): string {
  if (!existsSync(before)) throw new UsageError(`There is no folder ${before} to compare with.`);
  if (before !== out) return before;
  throw new UsageError("--compare and --out are the same folder, so the earlier screenshots would be overwritten.", {
    hint: "Use a different folder for --out.",
  });
}

function readThreshold(text: string): number {
  const threshold = Number(text);
  if (/^[\d.]+$/.test(text) && threshold <= 100) return threshold;
  throw new UsageError(`--threshold must be a percentage from 0 to 100, not "${text}".`);
}

function readWidth(text: string): number {
  const width = Number(text);
  if (/^\d+$/.test(text) && width >= 200 && width <= 2000) return width;
  throw new UsageError(`--width must be whole numbers from 200 to 2000, not "${text}".`);
}

function readScheme(text: string): (typeof SCHEMES)[number] {
  const scheme = SCHEMES.find((each) => each === text);
  if (scheme !== undefined) return scheme;
  throw new UsageError(`--scheme must be ${SCHEMES.join(" or ")}, not "${text}".`);
}

interface Asked extends Choice {
  /** Names of the templates. Empty: all. */
  readonly names: readonly string[];
}

/** Screenshots in a folder that this run would have replaced but did not take. */
async function missingFrom(folder: string, selection: Asked, { pictures, broken }: Screenshots): Promise<string[]> {
  const taken = new Set(pictures.map(({ file }) => file));
  const there = await readdir(folder, { recursive: true }).catch(() => []);
  return there
    .map((file) => file.replaceAll(path.sep, "/"))
    .filter((file) => !taken.has(file) && isSelected(file, selection) && !broken.includes(path.posix.dirname(file)))
    .toSorted();
}

/** Whether the path is `NAME/FIXTURE-WIDTH-SCHEME.png` of the selection. */
function isSelected(file: string, { names, fixtures, widths, schemes }: Asked): boolean {
  const [, name = "", fixture = "", width, scheme] = /^([^/]+)\/(.+)-(\d+)-(light|dark)\.png$/.exec(file) ?? [];
  return (
    (names.length === 0 || names.includes(name)) &&
    (fixtures.length === 0 || fixtures.includes(fixture)) &&
    widths.includes(Number(width)) &&
    schemes.some((each) => each === scheme)
  );
}
