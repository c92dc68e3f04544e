import path from "node:path";
import { type Environment, remoteName } from "../../config/environment.js";
import type { Project } from "../../config/load.js";
import type { PlanChoices } from "../../sync/index.js";
import { nearest } from "../../nearest.js";
import { matchesPattern } from "../../pattern.js";
import { kebab, UsageError } from "../arguments.js";
import type { Flags, FlagValues } from "../command.js";
import { type ProjectFlags, workingFolder } from "../project.js";
import { type LettingFlag, lettingFlag } from "../report/plan/index.js";
import type { DeployOptions } from "./deploy.js";
import { ownName } from "./local-side.js";
import type { PlannedDeployment } from "./plan-deployment.js";
import { refuseUnwritable } from "./unwritable.js";

/** What every command takes that applies a plan. */
export const deployFlags = {
  dryRun: { summary: "Show the plan and change nothing" },
  check: { summary: "Show the plan, change nothing, and exit with 5 if anything would change or is held back" },
  prune: { summary: "Delete what this project applied and no longer has" },
  overwriteDrift: {
    summary: "Overwrite this template though it was edited on the service, or was never applied from here",
    value: "NAME",
    many: true,
  },
  takeOver: {
    summary: "Overwrite this template though another project or environment manages it",
    value: "NAME",
    many: true,
  },
  allowBreaking: {
    summary: "Apply this template though running applications would send blanks, or another template's content",
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

/** The templates that are let through, by the flag that names them: names, or patterns of them. */
export type LetThroughFlags = Readonly<Partial<Record<LettingFlag, readonly string[]>>>;

/** What the plan is to do. */
export function chosen(
  { sync: { renames } }: Pick<Project, "sync">,
  environment: Environment,
  flags: LetThroughFlags & Pick<DeployFlags, "prune">,
): PlanChoices {
  return {
    renames,
    prune: flags.prune,
    letsThrough: (reason, name) =>
      (flags[lettingFlag(reason)] ?? []).some((pattern) => isNamed(environment, pattern, name)),
  };
}

/** The plan shows names as the service has them, so those are taken as well as the project's own. */
function isNamed(environment: Environment, pattern: string, name: string): boolean {
  return matchesPattern(pattern, name) || matchesPattern(remoteName(environment, pattern), name);
}

/** @throws {UsageError} A flag names a template that the plan is not about. */
export function refuseUnknownNames(
  { plan, input: { local } }: Pick<PlannedDeployment, "plan" | "input">,
  environment: Environment,
  flags: LetThroughFlags,
): void {
  const known = [...new Set([...local, ...plan.held].map(({ name }) => name).concat(plan.retired))];
  for (const [flag, patterns] of Object.entries(flags)) {
    const unknown = patterns.find((pattern) => !known.some((name) => isNamed(environment, pattern, name)));
    if (unknown === undefined) continue;
    const own = known.map((name) => ownName(environment, name) ?? name);
    const near = nearest(unknown, [...own, ...known]);
    throw new UsageError(`--${kebab(flag)} ${unknown}: there is no such template among those that are applied.`, {
      hint: near === undefined ? `They are: ${own.join(", ") || "none"}` : `Did you mean ${near}?`,
    });
  }
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
 * @param command Without these flags: those are added that decide what is to be there.
 * @throws {ConfigurationError} A file that is written in the end could not be.
 */
export function optionsOf(flags: DeployFlags & LetThroughFlags & ProjectFlags, command: string): DeployOptions {
  const { dryRun, check, yes, wait, prune, overwriteDrift, takeOver, allowBreaking, includeDrift } = flags;
  const letThrough = { overwriteDrift, takeOver, allowBreaking, ...(includeDrift && { includeDrift }) };
  const names = Object.entries(letThrough).flatMap(([flag, patterns]) =>
    patterns.map((pattern) => `--${kebab(flag)} ${pattern.includes("*") ? `'${pattern}'` : pattern}`),
  );
  return {
    dryRun,
    check,
    yes,
    wait,
    letThrough,
    again: [command, ...(prune ? ["--prune"] : []), ...names].join(" "),
    out: outputFile(flags, flags.out, "The plan"),
    summary: summaryFile(flags),
  };
}
