import path from "node:path";
import { type Environment, remoteName } from "../../config/environment.js";
import type { Project } from "../../config/load.js";
import type { PlanChoices } from "../../sync/index.js";
import { nearest } from "../../nearest.js";
import { UsageError } from "../arguments.js";
import type { Flags, FlagValues } from "../command.js";
import { type ProjectFlags, workingFolder } from "../project.js";
import type { DeployOptions } from "./deploy.js";
import type { LocalSide } from "./local-side.js";
import { refuseUnwritable } from "./unwritable.js";

/** What every command takes that applies a plan. */
export const deployFlags = {
  dryRun: { summary: "Show the plan and change nothing" },
  check: { summary: "Show the plan, change nothing, and exit with 5 if anything would change or is held back" },
  prune: { summary: "Delete what this project applied and no longer has" },
  overwriteDrift: { summary: "Overwrite what was edited on the service" },
  allowBreaking: {
    summary: "Let this template read variables that running applications don't pass",
    value: "NAME",
    many: true,
  },
  yes: { summary: "Answer every question with yes" },
  wait: { summary: "Wait for another sync of the environment to end" },
  out: { summary: "Write the plan to this file and change nothing", value: "PLAN" },
  summary: { summary: "Write the plan, and what became of it, as Markdown", value: "FILE" },
} as const satisfies Flags;

type DeployFlags = FlagValues<typeof deployFlags>;

/** How a command names the environment; one that only the process's environment describes has no name. */
export function environmentFlag({ name }: Pick<Environment, "name">): string[] {
  return name === "custom" ? [] : [`--env ${name}`];
}

/** What the plan is to do. */
export function chosen(
  { sync: { renames } }: Pick<Project, "sync">,
  environment: Environment,
  { prune, overwriteDrift, allowBreaking }: DeployFlags,
): PlanChoices {
  // The plan shows names as the service has them.
  const allowed = new Set(allowBreaking.flatMap((name) => [name, remoteName(environment, name)]));
  return { renames, prune, overwriteDrift: () => overwriteDrift, allowBreaking: (name) => allowed.has(name) };
}

/**
 * Passes on what is here.
 *
 * @throws {UsageError} A template that `--allow-breaking` names is not among it.
 */
export function knowingAllowed(side: LocalSide, { allowBreaking }: DeployFlags): LocalSide {
  const names = new Set(side.local.flatMap(({ name, template }) => [name, template]));
  const unknown = allowBreaking.find((name) => !names.has(name));
  if (unknown === undefined) return side;
  const near = nearest(unknown, names);
  const all = side.local.map(({ template }) => template).join(", ");
  throw new UsageError(`--allow-breaking ${unknown}: there is no such template among those that are applied.`, {
    hint: near === undefined ? `They are: ${all || "none"}` : `Did you mean ${near}?`,
  });
}

/** @throws {ConfigurationError} It could not be written. */
export function summaryFile(flags: ProjectFlags & { readonly summary: string | undefined }): string | undefined {
  return outputFile(flags, flags.summary, "The summary");
}

function outputFile(flags: ProjectFlags, given: string | undefined, what: string): string | undefined {
  if (given === undefined) return undefined;
  const file = path.resolve(workingFolder(flags), given);
  refuseUnwritable(file, what);
  return file;
}

/**
 * How far it goes; files are looked for from the working folder.
 *
 * @param command Without these flags: those are added that say what is to be there. What was edited since is decided anew.
 * @throws {ConfigurationError} A file that is written in the end could not be.
 */
export function optionsOf(flags: DeployFlags & ProjectFlags, command: string): DeployOptions {
  const { dryRun, check, yes, wait, prune, allowBreaking } = flags;
  const again = [command, ...(prune ? ["--prune"] : []), ...allowBreaking.map((name) => `--allow-breaking ${name}`)];
  return {
    dryRun,
    check,
    yes,
    wait,
    again: again.join(" "),
    out: outputFile(flags, flags.out, "The plan"),
    summary: summaryFile(flags),
  };
}
