import { existsSync } from "node:fs";
import path from "node:path";
import type { Choice } from "../../preview/shot/sittings.js";
import { UsageError } from "../arguments.js";
import { type ProjectFlags, workingFolder } from "../project.js";

export interface ShotFlags extends ProjectFlags {
  readonly out: string | undefined;
  readonly width: string | undefined;
  readonly scheme: string | undefined;
  readonly fixture: readonly string[];
  readonly remoteImages: boolean;
  readonly compare: string | undefined;
  readonly threshold: string | undefined;
}

/** The validated flags of `templates preview shot`. */
export interface Shot extends Choice {
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
