import { completeVariables } from "../../src/mustache/complete.js";
import { evaluator } from "../../src/mustache/expression/evaluate.js";
import { packagesIn } from "../../src/mustache/expression/packages.js";
import type { PassedVariables, Variables } from "../../src/mustache/variables.js";
import { trialOf } from "../../src/project/variables-trial.js";
import type { ProjectState, TemplateDetail, TemplateReport } from "../../src/preview/contract.js";
import { answerOf } from "../../src/preview/variables-answer.js";
import { type Source, sourceWithout, hasSchema } from "./source.js";
import type { WorkerAnswer, WorkerRequest } from "./variables-worker.js";

declare global {
  /** JSON by name, set by the scripts in `data/`: a page opened as a file cannot fetch anything. */
  var lettershopCopy: Map<string, string> | undefined;
}

interface CopiedTemplate {
  readonly detail: TemplateDetail;
  readonly report: TemplateReport;
  /** Why the copy does not contain its `variables.ts`. */
  readonly obstacle?: string;
}

/** The data of a static copy. Undefined if the page has a server. */
export function copySource(): Source | undefined {
  const copied = globalThis.lettershopCopy;
  if (copied === undefined) return undefined;

  const project: ProjectState = JSON.parse(copied.get("project") ?? "");
  const templates = new Map<string, Promise<CopiedTemplate>>();
  const open = (name: string): Promise<CopiedTemplate> => {
    const opened = templates.get(name) ?? read<CopiedTemplate>(copied, `templates/${name}`);
    templates.set(name, opened);
    return opened;
  };

  return {
    ...sourceWithout("This is a static copy: it has no server to do this."),
    kind: "copy",
    project: async () => project,
    template: async (name) => (await open(name)).detail,
    report: async (name) => (await open(name)).report,
    contents: () => read(copied, "contents"),
    async variables(template, { input: variables, locale = project.locale, timeZone = project.timeZone }) {
      const { detail, obstacle } = await open(template);
      if (obstacle !== undefined) throw new Error(obstacle);
      const contract = detail.compiled?.contract ?? { input: {}, conditions: [] };
      const context = { locale, timeZone };
      const complete = ({ input, derived }: PassedVariables): Variables =>
        completeVariables(contract, input, derived, { evaluator, ...context });
      if (!hasSchema(detail) && packagesIn(contract.conditions).length === 0)
        return answerOf({ parsed: variables, issues: [] }, complete);
      const script = await read<string>(copied, "variables");
      const { fixture, completed } = await runVariables(script, { template, variables, context, contract });
      const trial = trialOf(variables, { fixture, schema: contract.input });
      return answerOf(trial, completed ? () => completed : complete);
    },
  };
}

/** The content of one data script, which is loaded on first use. */
async function read<Data>(copied: ReadonlyMap<string, string>, name: string): Promise<Data> {
  if (!copied.has(name)) await load(`data/${name}.js`);
  const text = copied.get(name);
  if (text === undefined) throw new Error(`This copy has no data for ${name}.`);
  const data: Data = JSON.parse(text);
  return data;
}

async function load(path: string): Promise<void> {
  const script = document.createElement("script");
  script.src = path;
  await new Promise<void>((resolve, reject) => {
    script.addEventListener("load", () => resolve());
    script.addEventListener("error", () => reject(new Error(`Couldn't load this copy's file ${path}.`)));
    document.head.append(script);
  });
  script.remove();
}

/** The same timeout as on a server. */
const LONGEST_MS = 5000;

/**
 * Runs the project's own code in a worker that ends after its answer. The worker inherits the page's content security
 * policy, so the code cannot reach a network.
 * @param script The worker's source.
 */
async function runVariables(script: string, question: WorkerRequest): Promise<WorkerAnswer> {
  const url = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  const worker = new Worker(url);
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    return await new Promise<WorkerAnswer>((resolve, reject) => {
      const fail = (what: string) => reject(new Error(`variables.ts ${what}`));
      timer = setTimeout(() => fail(`did not finish within ${LONGEST_MS / 1000} s.`), LONGEST_MS);
      worker.addEventListener("message", ({ data }: MessageEvent<WorkerAnswer>) => resolve(data));
      worker.addEventListener("error", (event) => {
        event.preventDefault();
        fail(`can't run in this browser: ${event.message}`);
      });
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
      worker.postMessage(question);
    });
  } finally {
    clearTimeout(timer);
    worker.terminate();
    URL.revokeObjectURL(url);
  }
}
