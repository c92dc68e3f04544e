import { cpSync, existsSync } from "node:fs";
import path from "node:path";
import { parse } from "yaml";
import type { PipelineMachine, ScriptResult } from "./pipeline-machine.js";

interface Job {
  readonly environment?: { readonly name: string };
  readonly variables?: Readonly<Record<string, string>>;
  readonly before_script?: readonly string[];
  readonly script: readonly string[];
  readonly cache?: { readonly key: string; readonly paths: readonly string[]; readonly policy?: string };
  readonly artifacts?: { readonly paths: readonly string[] };
  readonly needs?: readonly string[];
  readonly rules: readonly { readonly if: string; readonly when?: string }[];
}

/** A variable of the project's settings. */
interface Variable {
  readonly value: string;
  /** Only of jobs with an environment that begins so. */
  readonly scope: string;
}

export interface GitLabJob {
  readonly machine: PipelineMachine;
  readonly pipeline: string;
  readonly job: string;
  readonly branch: string;
  readonly settings: Readonly<Record<string, Variable>>;
  /** What the runner sets. */
  readonly env?: Readonly<Record<string, string>>;
}

export function jobsOf(pipeline: string): Readonly<Record<string, Job>> {
  const { stages: _, workflow: __, default: ___, ...jobs } = parse(pipeline);
  return jobs;
}

/** Runs a job's scripts as GitLab's runner does: in one bash, with the artifacts of the jobs before. */
export async function runGitLabJob(options: GitLabJob): Promise<ScriptResult & { readonly workspace: string }> {
  const { machine, pipeline, job: name, branch, settings, env = {} } = options;
  const { [name]: job } = jobsOf(pipeline);
  if (job === undefined) throw new Error(`No job ${name}`);
  const workspace = machine.workspace();
  if (job.variables?.["GIT_STRATEGY"] !== "none") machine.checkOut(workspace, branch);
  const caches = job.cache?.paths.map((file) => [path.join(machine.caches, file), path.join(workspace, file)] as const);
  for (const [cached, at] of caches ?? []) if (existsSync(cached)) cpSync(cached, at);
  cpSync(machine.artifacts, workspace, { recursive: true });
  const scoped = Object.entries(settings).filter(([, { scope }]) => (job.environment?.name ?? "").startsWith(scope));
  const result = await machine.bash(
    [...(job.before_script ?? parse(pipeline).default.before_script), ...job.script].join("\n"),
    {
      cwd: workspace,
      env: { ...env, ...Object.fromEntries(scoped.map(([key, { value }]) => [key, value])), ...job.variables },
      options: ["-eo", "pipefail"],
    },
  );
  if (job.cache?.policy !== "pull") for (const [cached, at] of caches ?? []) if (existsSync(at)) cpSync(at, cached);
  for (const file of job.artifacts?.paths ?? []) {
    const at = path.join(workspace, file);
    if (existsSync(at)) cpSync(at, path.join(machine.artifacts, file), { recursive: true });
  }
  return { ...result, workspace };
}
