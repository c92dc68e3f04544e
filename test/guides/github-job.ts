import { cpSync, existsSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { parse } from "yaml";
import type { PipelineMachine } from "./pipeline-machine.js";

interface Step {
  readonly id?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly shell?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
}

interface Job {
  readonly if?: string;
  readonly needs?: string | readonly string[];
  readonly permissions?: Readonly<Record<string, string>>;
  readonly environment?: string;
  readonly concurrency?: { readonly group: string };
  readonly outputs?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}

export interface Workflow {
  readonly on: unknown;
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

/** The values that expressions read: `secrets.MAIL_API_KEY`. */
export type Context = { readonly [name: string]: string | Context };

export interface GitHubJob {
  readonly machine: PipelineMachine;
  readonly workflow: string;
  readonly job: string;
  readonly branch: string;
  readonly context: Context;
  /** Environment variables that the runner sets. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface JobResult {
  readonly code: number;
  /** The output of all scripts. */
  readonly log: string;
  /** The Markdown on the run's page. */
  readonly summary: string;
  readonly outputs: Readonly<Record<string, string>>;
  readonly workspace: string;
}

export function parseWorkflow(text: string): Workflow {
  return parse(text);
}

/** Runs a job's scripts with bash, and simulates the actions that the guide uses. An unknown action is an error. */
export async function runGitHubJob({
  machine,
  workflow,
  job: name,
  branch,
  context,
  env = {},
}: GitHubJob): Promise<JobResult> {
  const { [name]: job } = parseWorkflow(workflow).jobs;
  if (job === undefined) throw new Error(`No job ${name}`);
  const workspace = machine.workspace();
  const files = machine.workspace();
  const [summaryFile, outputFile] = [path.join(files, "summary"), path.join(files, "output")];
  let isFailed = false;
  let log = "";
  let steps: Context = {};
  const fill = (text: unknown) => fillExpressions(String(text), { ...context, steps });
  for (const step of job.steps) {
    if (isFailed && !/^\$\{\{ (?:always|!cancelled)\(\) \}\}$/.test(step.if ?? "")) continue;
    const options = Object.fromEntries(Object.entries(step.with ?? {}).map(([key, value]) => [key, fill(value)]));
    if (step.uses !== undefined) act(step.uses, options, { machine, workspace, branch });
    if (step.run === undefined) continue;
    const own = Object.fromEntries(Object.entries(step.env ?? {}).map(([key, value]) => [key, fill(value)]));
    const { code, output } = await machine.bash(fill(step.run), {
      cwd: workspace,
      env: { ...env, ...job.env, GITHUB_STEP_SUMMARY: summaryFile, GITHUB_OUTPUT: outputFile, ...own },
      options: step.shell === "bash" ? ["-eo", "pipefail"] : ["-e"],
    });
    log += output;
    isFailed ||= code !== 0;
    if (step.id === undefined) continue;
    const lines = (machine.read(outputFile) ?? "").split("\n").filter(Boolean);
    steps = { ...steps, [step.id]: { outputs: Object.fromEntries(lines.map((line) => line.split("="))) } };
  }
  const outputs = Object.entries(job.outputs ?? {}).map(([key, value]) => [key, isFailed ? "" : fill(value)]);
  const summary = machine.read(summaryFile) ?? "";
  return { code: isFailed ? 1 : 0, log, summary, outputs: Object.fromEntries(outputs), workspace };
}

function fillExpressions(text: string, context: Context): string {
  return text.replace(/\$\{\{ ([\w.-]+) \}\}/g, (_, expression: string) => {
    let value: Context[string] | undefined = context;
    for (const part of expression.split(".")) value = typeof value === "object" ? value[part] : undefined;
    if (typeof value !== "string") throw new Error(`Unknown expression: ${expression}`);
    return value;
  });
}

interface Place {
  readonly machine: PipelineMachine;
  readonly workspace: string;
  readonly branch: string;
}

function act(action: string, options: Readonly<Record<string, string>>, { machine, workspace, branch }: Place): void {
  const { name = "", path: file = "" } = options;
  const at = path.join(workspace, file);
  switch (versions[action] ?? action) {
    case "actions/checkout@v5":
      return machine.checkOut(workspace, branch);
    case "actions/setup-node@v5":
      return;
    case "actions/upload-artifact@v4": {
      const isLeftOut = file.startsWith(".") && options["include-hidden-files"] !== "true";
      if (isLeftOut || !existsSync(at)) {
        if (options["if-no-files-found"] === "ignore" && !isLeftOut) return;
        throw new Error(`Nothing to upload: ${file}`);
      }
      const artifact = path.join(machine.artifacts, name);
      if (options["overwrite"] === "true") rmSync(artifact, { recursive: true, force: true });
      // The contents of a folder are uploaded without the folder itself.
      return cpSync(at, statSync(at).isFile() ? path.join(artifact, file) : artifact, { recursive: true });
    }
    case "actions/download-artifact@v5":
      return cpSync(path.join(machine.artifacts, name), at, { recursive: true });
    default:
      throw new Error(`The test does not know ${action}`);
  }
}

/** Actions by the name in the guide: with the version, or with the commit of the version's tag. */
const versions: Readonly<Record<string, string>> = {
  "actions/checkout@v5": "actions/checkout@v5",
  "actions/setup-node@v5": "actions/setup-node@v5",
  "actions/setup-node@a0853c24544627f65ddf259abe73b1d18a591444": "actions/setup-node@v5",
  "actions/upload-artifact@v4": "actions/upload-artifact@v4",
  "actions/upload-artifact@ea165f8d65b6e75b540449e92b4886f43607fa02": "actions/upload-artifact@v4",
  "actions/download-artifact@634f93cb2916e3fdff6788551b99b062d0335ce0": "actions/download-artifact@v5",
};
