import path from "node:path";
import { type Environment, remoteName } from "../../project/environment.js";
import type { Project } from "../../project/load-project.js";
import type { PlanChoices } from "../../sync/index.js";
import { matchesPattern } from "../../text/pattern.js";
import { didYouMean, kebab, UsageError } from "../arguments.js";
import type { Flags, FlagValues } from "../command.js";
import { type ProjectFlags, workingFolder } from "../project.js";
import { type OverrideFlag, overrideFlag } from "../report/plan/plan-document.js";
import type { DeployOptions } from "./deploy.js";
import { localName } from "./local-side.js";
import type { PlannedDeployment } from "./plan-deployment.js";
import { refuseUnwritable } from "../failure.js";

/** The flags of every command that applies a plan. */
export const deployFlags = {
  dryRun: { summary: "Show the plan without applying it" },
  check: { summary: "Show the plan without applying it; exit with 5 if anything would change or is held back" },
  prune: { summary: "Delete templates that this project applied and no longer has" },
  overwriteDrift: {
    summary: "Overwrite this template even though it was edited on the service or never applied from here",
    value: "NAME",
    many: true,
  },
  takeOver: {
    summary: "Overwrite this template even though another project or environment manages it",
    value: "NAME",
    many: true,
  },
  allowBreaking: {
    summary: "Apply this template even though running applications would send blanks or the wrong content",
    value: "NAME",
    many: true,
  },
  yes: { summary: "Answer yes to every question" },
  wait: { summary: "Wait if another sync of the environment is running" },
  out: { summary: "Write the plan to this file without applying it", value: "PLAN" },
  summary: { summary: "Write the plan and its result to this file as Markdown", value: "FILE" },
} as const satisfies Flags;

type DeployFlags = FlagValues<typeof deployFlags>;

/** The flag that selects the environment; none if environment variables alone describe it. */
export function environmentFlag({ name }: Pick<Environment, "name">): string[] {
  return name === "custom" ? [] : [`--env ${name}`];
}

/** Names or patterns of templates that the user lets through, by flag. */
export type LetThroughFlags = Readonly<Partial<Record<OverrideFlag, readonly string[]>>>;

/** The user's choices for the plan. */
export function chosen(
  { sync: { renames } }: Pick<Project, "sync">,
  environment: Environment,
  flags: LetThroughFlags & Pick<DeployFlags, "prune">,
): PlanChoices {
  return {
    renames,
    prune: flags.prune,
    letsThrough: (reason, name) =>
      (flags[overrideFlag(reason)] ?? []).some((pattern) => isNamed(environment, pattern, name)),
  };
}

/** Matches names on the service as well as in the project, because the plan shows the former. */
function isNamed(environment: Environment, pattern: string, name: string): boolean {
  return matchesPattern(pattern, name) || matchesPattern(remoteName(environment, pattern), name);
}

/** @throws {UsageError} A flag names a template that is not in the plan. */
export function refuseUnknownNames(
  { plan, input: { local } }: Pick<PlannedDeployment, "plan" | "input">,
  environment: Environment,
  flags: LetThroughFlags,
): void {
  const known = [...new Set([...local, ...plan.held].map(({ name }) => name).concat(plan.retired))];
  for (const [flag, patterns] of Object.entries(flags)) {
    const unknown = patterns.find((pattern) => !known.some((name) => isNamed(environment, pattern, name)));
    if (unknown === undefined) continue;
    const own = known.map((name) => localName(name, environment) ?? name);
    throw new UsageError(`--${kebab(flag)} ${unknown}: no such template is being applied.`, {
      hint: didYouMean(unknown, [...own, ...known]) ?? `Templates: ${own.join(", ") || "none"}`,
    });
  }
}

/** The absolute path of `--summary`. @throws {ConfigurationError} The file is not writable. */
export function summaryFile(flags: ProjectFlags & { readonly summary: string | undefined }): string | undefined {
  return outputFile(flags, flags.summary, "The summary");
}

function outputFile(flags: ProjectFlags, value: string | undefined, what: string): string | undefined {
  if (value === undefined) return undefined;
  const file = path.resolve(workingFolder(flags), value);
  refuseUnwritable(file, what);
  return file;
}

/**
 * The options of a deployment; paths are relative to the working folder.
 *
 * @param command The command without deploy flags, for `again`. Flags that decide what is applied are added.
 * @throws {ConfigurationError} `--out` or `--summary` is not writable.
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
