import { NO_RETRIES } from "../../api/calls/policy.js";
import type { AssetsConfig } from "../../project/config.js";
import type { Project } from "../../project/load-project.js";
import type { OpenedProject } from "../../preview/server/preview-access.js";
import { moveAssets } from "../../render/assets.js";
import type { CompiledTemplate, CompileResult } from "../../project/template.js";
import { observeService, type Operation, type Run, targetName } from "../../sync/index.js";
import { applyDeployment } from "../deploy/apply-deployment.js";
import { localSide } from "../deploy/local-side.js";
import { planDeployment } from "../deploy/plan-deployment.js";
import { failureOf } from "../failure.js";
import { type Output, quietOutput } from "../output.js";
import { prettyDiagnostics } from "../report/diagnostics.js";
import { connect, projectTarget, withLocalAssets } from "../target.js";

export interface SyncOptions {
  /** The project with its latest configuration. */
  readonly opened: () => Pick<OpenedProject, "project" | "assets"> | undefined;
  readonly names: () => Promise<readonly string[]>;
  /** The local service's URL. Starts the service if it is not running. */
  readonly localUrl: () => Promise<string>;
  readonly output: Output;
  readonly signal: AbortSignal;
}

/** Maximum number of names in a message; more are counted. */
const LISTED = 5;

/** A run without journal, backups or lease: the local service's templates need none, and nobody else applies to it. */
const noRun: Run = {
  begin: async () => undefined,
  end: async () => undefined,
  save: async () => undefined,
  leftLease: async () => undefined,
  noteLease: async () => undefined,
  backups: undefined,
  settled: async () => undefined,
  close: async () => undefined,
};

/**
 * Syncs templates to the local service as they are compiled. A template that does not compile is reported and stays unchanged
 * there.
 *
 * @returns A function that syncs these templates once the current sync ends, and deletes those that the project no longer has.
 */
export function createLocalSync({ opened, names, localUrl, output, signal }: SyncOptions) {
  const waiting = new Map<string, CompileResult>();
  const broken = new Set<string>();
  let isWanted = false;
  let isRunning = false;

  async function run(): Promise<void> {
    isRunning = true;
    while (isWanted && !signal.aborted) {
      const results = [...waiting.values()];
      waiting.clear();
      isWanted = false;
      await syncNow(results).catch((error: unknown) => {
        if (!signal.aborted) output.note(`Not synced: ${failureOf(error)?.message ?? String(error)}`);
      });
    }
    isRunning = false;
  }

  async function syncNow(results: readonly CompileResult[]): Promise<void> {
    const { project, assets } = opened() ?? {};
    if (project === undefined) return;
    reportBroken(results, project);
    const templates = results.flatMap(({ compiled }) => compiled ?? []);
    const present = new Set(await names());
    const environment = withLocalAssets({ ...projectTarget(project, "local"), url: await localUrl() });
    const moved = templates.map((each) => withAssets(each, assets, environment.assets?.baseUrl ?? ""));
    const observer = observeService();
    const target = connect(environment, { policy: NO_RETRIES, ...observer.hooks });
    const deployTarget = { project, target, observer, signal, output: quietOutput };
    try {
      const { plan, input } = await planDeployment({
        ...deployTarget,
        local: Promise.resolve(localSide(moved, present, environment, project)),
        isPartial: false,
        // Don't delete all templates of an empty project: it is probably being moved.
        choices: { renames: "keep", prune: present.size > 0, letsThrough: () => true },
      });
      const { outcomes } = await applyDeployment(deployTarget, plan, input.remote, noRun);
      const applied = outcomes.filter(({ result }) => result === "applied").map(({ operation }) => operation);
      const isDelete = ({ kind }: Operation) => kind === "delete";
      reportChanges("Synced", "to", applied.filter((each) => !isDelete(each)).map(targetName));
      reportChanges("Deleted", "from", applied.filter(isDelete).map(targetName));
      for (const { result, operation } of outcomes)
        if (result !== "applied") output.note(`Not synced: ${targetName(operation)} (${result})`);
    } finally {
      await target.close();
    }
  }

  function reportBroken(results: readonly CompileResult[], { folder }: Project): void {
    for (const { name, compiled, diagnostics } of results) {
      if (compiled) {
        if (broken.delete(name)) output.note(`${name} compiles again.`);
        continue;
      }
      broken.add(name);
      const errors = diagnostics.filter(({ severity }) => severity === "error");
      output.note(`${prettyDiagnostics(errors, folder, output.style)}\n`);
      output.note(`${name} does not compile, so the local service keeps its previous version.`);
    }
  }

  function reportChanges(verb: string, preposition: string, which: readonly string[]): void {
    if (which.length === 0) return;
    const listed = which.length > LISTED ? `${which.length} templates` : which.join(", ");
    output.note(`${verb} ${listed} ${preposition} local.`);
  }

  return (results: readonly CompileResult[]): void => {
    for (const result of results) waiting.set(result.name, result);
    isWanted = true;
    if (!isRunning) void run();
  };
}

function withAssets(compiled: CompiledTemplate, from: AssetsConfig | undefined, to: string): CompiledTemplate {
  return { ...compiled, html_body: moveAssets(compiled.html_body, from?.baseUrl, to) };
}
