import type { AssetsConfig } from "../../config/define.js";
import type { Project } from "../../config/load.js";
import type { OpenedProject } from "../../preview/server/access.js";
import { moveAssets } from "../../render/assets.js";
import type { CompiledTemplate, CompileResult } from "../../template/template.js";
import { observeService, type Operation, type Run, targetName } from "../../sync/index.js";
import { applyDeployment } from "../deploy/apply-deployment.js";
import { localSide } from "../deploy/local-side.js";
import { planDeployment } from "../deploy/plan-deployment.js";
import { failureOf } from "../failure.js";
import type { Output } from "../output.js";
import { prettyDiagnostics } from "../report/diagnostics.js";
import { connect, projectTarget, withLocalAssets } from "../target.js";
import { quietOutput } from "./quiet-output.js";

export interface SyncOptions {
  /** The project, as it was read last. */
  readonly opened: () => Pick<OpenedProject, "project" | "assets"> | undefined;
  /** The names of all that the project has. */
  readonly names: () => Promise<readonly string[]>;
  /** The address of the local service, which is started where it does not run. */
  readonly localUrl: () => Promise<string>;
  readonly output: Output;
  readonly signal: AbortSignal;
}

export interface LocalSync {
  /** Brings these to the local service, after what is under way, and takes away what the project no longer has. */
  readonly bring: (results: readonly CompileResult[]) => void;
}

/** More are counted. */
const LISTED = 5;

/** Nothing that the local service has is worth keeping apart, and nobody else applies templates to it. */
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
 * Brings templates to the local service as they are compiled. One that does not compile stays there as it was, and that is
 * said.
 */
export function createLocalSync({ opened, names, localUrl, output, signal }: SyncOptions): LocalSync {
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
      await sync(results).catch((error: unknown) => {
        if (!signal.aborted) output.note(`Not synced: ${failureOf(error)?.message ?? String(error)}`);
      });
    }
    isRunning = false;
  }

  async function sync(results: readonly CompileResult[]): Promise<void> {
    const { project, assets } = opened() ?? {};
    if (project === undefined) return;
    tellBroken(results, project);
    const templates = results.flatMap(({ compiled }) => compiled ?? []);
    const present = new Set(await names());
    const environment = withLocalAssets({ ...projectTarget(project, "local"), url: await localUrl() });
    const moved = templates.map((each) => withAssets(each, assets, environment.assets?.baseUrl ?? ""));
    const observer = observeService();
    const target = connect(environment, { pacing: true, ...observer.hooks });
    const deployTarget = { project, target, observer, signal, output: quietOutput };
    try {
      const { plan, input } = await planDeployment({
        ...deployTarget,
        local: Promise.resolve(localSide(moved, present, environment, project)),
        isPartial: false,
        // An empty project is more likely one that is being moved.
        choices: { renames: "keep", prune: present.size > 0, letsThrough: () => true },
      });
      const { outcomes } = await applyDeployment(deployTarget, plan, input.remote, noRun);
      const applied = outcomes.filter(({ result }) => result === "applied").map(({ operation }) => operation);
      const isDelete = ({ kind }: Operation) => kind === "delete";
      tell("Synced", "to", applied.filter((each) => !isDelete(each)).map(targetName));
      tell("Took", "from", applied.filter(isDelete).map(targetName));
      for (const { result, operation } of outcomes)
        if (result !== "applied") output.note(`Not synced: ${targetName(operation)} (${result})`);
    } finally {
      await target.close();
    }
  }

  function tellBroken(results: readonly CompileResult[], { folder }: Project): void {
    for (const { name, compiled, diagnostics } of results) {
      if (compiled) {
        if (broken.delete(name)) output.note(`${name} compiles again.`);
        continue;
      }
      broken.add(name);
      const errors = diagnostics.filter(({ severity }) => severity === "error");
      output.note(`${prettyDiagnostics(errors, folder, output.style)}\n`);
      output.note(`${name} does not compile: the local service keeps it as it was.`);
    }
  }

  function tell(verb: string, preposition: string, which: readonly string[]): void {
    if (which.length === 0) return;
    const listed = which.length > LISTED ? `${which.length} templates` : which.join(", ");
    output.note(`${verb} ${listed} ${preposition} local.`);
  }

  return {
    bring(results) {
      for (const result of results) waiting.set(result.name, result);
      isWanted = true;
      if (!isRunning) void run();
    },
  };
}

/** With the images at another address. */
function withAssets(compiled: CompiledTemplate, from: AssetsConfig | undefined, to: string): CompiledTemplate {
  return { ...compiled, html_body: moveAssets(compiled.html_body, from?.baseUrl, to) };
}
