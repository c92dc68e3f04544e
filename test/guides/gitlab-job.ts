import { cpSync, existsSync, rmSync } from "node:fs";
import path from "node:path";
import { parse } from "yaml";
import type { PipelineMachine, ScriptResult } from "./pipeline-machine.js";

interface Job {
  readonly extends?: string;
  readonly stage: string;
  readonly environment?: { readonly name: string };
  readonly variables?: Readonly<Record<string, string>>;
  readonly before_script?: readonly string[];
  readonly script: readonly string[];
  readonly cache?: unknown;
  readonly artifacts?: { readonly paths: readonly string[] };
  readonly needs?: readonly string[];
  readonly rules: readonly { readonly if: string; readonly when?: string }[];
}

/** A variable in the project's settings. */
interface Variable {
  readonly value: string;
  /** Only for jobs whose environment begins with this. */
  readonly scope: string;
}

export interface GitLabJob {
  readonly machine: PipelineMachine;
  readonly pipeline: string;
  readonly job: string;
  readonly branch: string;
  readonly settings: Readonly<Record<string, Variable>>;
  /** Environment variables that the runner sets. */
  readonly env?: Readonly<Record<string, string>>;
}

export function jobsOf(pipeline: string): Readonly<Record<string, Job>> {
  const { stages: _, workflow: __, default: ___, ...all } = parse(pipeline);
  const jobs = Object.entries<Job>(all).filter(([name]) => !name.startsWith("."));
  return Object.fromEntries(jobs.map(([name, job]) => [name, { ...all[job.extends ?? ""], ...job }]));
}

/** Runs a job's scripts like GitLab's runner: in one bash, with the artifacts of earlier jobs. */
export async function runGitLabJob(options: GitLabJob): Promise<ScriptResult & { readonly workspace: string }> {
  const { machine, pipeline, job: name, branch, settings, env = {} } = options;
  const jobs = jobsOf(pipeline);
  const { [name]: job } = jobs;
  if (job === undefined) throw new Error(`No job ${name}`);
  const workspace = machine.workspace();
  if (job.variables?.["GIT_STRATEGY"] !== "empty") machine.checkOut(workspace, branch);
  const stages: readonly string[] = parse(pipeline).stages;
  const isEarlier = (other: Job) => stages.indexOf(other.stage) < stages.indexOf(job.stage);
  for (const other of job.needs ?? Object.keys(jobs).filter((each) => jobs[each] && isEarlier(jobs[each]))) {
    const artifacts = path.join(machine.artifacts, other);
    if (existsSync(artifacts)) cpSync(artifacts, workspace, { recursive: true });
  }
  const scoped = Object.entries(settings).filter(([, { scope }]) => (job.environment?.name ?? "").startsWith(scope));
  const result = await machine.bash([...(job.before_script ?? []), ...job.script].join("\n"), {
    cwd: workspace,
    env: { ...env, ...Object.fromEntries(scoped.map(([key, { value }]) => [key, value])), ...job.variables },
    options: ["-eo", "pipefail"],
  });
  for (const file of job.artifacts?.paths ?? []) {
    const [at, artifact] = [path.join(workspace, file), path.join(machine.artifacts, name, file)];
    rmSync(artifact, { recursive: true, force: true });
    if (existsSync(at)) cpSync(at, artifact, { recursive: true });
  }
  return { ...result, workspace };
}
