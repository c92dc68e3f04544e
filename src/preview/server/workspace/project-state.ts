import { readFile } from "node:fs/promises";
import path from "node:path";
import { attempt } from "../../../files.js";
import { isRecord } from "../../../values.js";
import type { Project } from "../../../project/load-project.js";
import type { Diagnostic } from "../../../diagnostic.js";
import type { EnvironmentChoice, Problem, ProjectState, TemplateSummary } from "../../contract.js";
import { problemsOf } from "../report/problems.js";
import type { ProjectAccess } from "../preview-access.js";
import { textOf } from "./detail.js";

/** What the page has to know that is not in the project's files. */
export interface Surroundings {
  environments(): Promise<readonly EnvironmentChoice[]>;
  preferences(): Promise<{ readonly remoteImages: boolean }>;
  readonly can: ProjectState["can"];
}

/** The features of a page without a server. */
export const CAN_NOTHING: ProjectState["can"] = {
  save: false,
  send: false,
  openEditor: false,
  seeInbox: false,
  seeOutbox: false,
  seeRemote: false,
  seeCommits: false,
  changeTemplates: false,
};

/** The surroundings of a read-only page. */
const NOTHING: Surroundings = {
  environments: async () => [],
  preferences: async () => ({ remoteImages: false }),
  can: CAN_NOTHING,
};

export interface StateParts {
  readonly access: ProjectAccess;
  readonly surroundings?: Surroundings;
  /** Undefined until the configuration was read for the first time. */
  readonly project?: Project;
  readonly assetsBase?: string;
  readonly templates: readonly TemplateSummary[];
  /** Problems of the configuration, and of templates that could not be loaded. */
  readonly obstacles: readonly Diagnostic[];
  /** Findings of checking the project. */
  readonly found: readonly Diagnostic[];
}

/** The state of the project as a whole. */
export async function projectState(parts: StateParts): Promise<ProjectState> {
  const { access, surroundings = NOTHING, project, assetsBase, templates, obstacles, found } = parts;
  const { folder } = access;
  const [name, environments, { remoteImages }] = await Promise.all([
    packageName(folder),
    surroundings.environments(),
    surroundings.preferences(),
  ]);
  const byDefault = project?.defaultEnvironment;
  const target =
    environments.find((each) => each.name === byDefault) ??
    environments[0] ??
    (byDefault === undefined ? undefined : project?.environments[byDefault]);
  return {
    name,
    templates,
    problems: problemsWith(obstacles, found, { folder, isEmpty: templates.length === 0 }),
    environments,
    locale: project?.locale ?? "en-US",
    timeZone: project?.timeZone ?? "UTC",
    remoteImages,
    ...(assetsBase !== undefined && { assetsBase }),
    from: `no-reply@${target?.domain ?? "example.test"}`,
    can: surroundings.can,
  };
}

/** Without duplicates, because checking also finds some of the obstacles. */
function problemsWith(
  obstacles: readonly Diagnostic[],
  found: readonly Diagnostic[],
  { folder, isEmpty }: { readonly folder: string; readonly isEmpty: boolean },
): Problem[] {
  const known = new Set(obstacles.map((diagnostic) => JSON.stringify(diagnostic)));
  const others = found.filter((diagnostic) => !known.has(JSON.stringify(diagnostic)));
  return [
    ...problemsOf(obstacles, { folder, read: textOf }).map((problem): Problem => {
      // A new project does not have a templates folder yet.
      const isAhead = isEmpty && problem.rule === "templates-root";
      return isAhead ? problem : { ...problem, isBlocking: true };
    }),
    ...problemsOf(others, { folder, read: textOf }),
  ];
}

async function packageName(folder: string): Promise<string> {
  const inFile = await readFile(path.join(folder, "package.json"), "utf8").then(nameIn, () => undefined);
  return inFile ?? path.basename(folder);
}

function nameIn(text: string): string | undefined {
  // The file may be half-written.
  const content: unknown = attempt(() => JSON.parse(text));
  const name = isRecord(content) ? content["name"] : undefined;
  return typeof name === "string" && name !== "" ? name : undefined;
}
